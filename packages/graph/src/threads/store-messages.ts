/** Declares the messages between the store thread and its owner. */
import type { IndexStore } from "../store/index-store.ts";

export type StoreMethod = keyof IndexStore;

export interface StoreRequest {
  readonly id: number;
  readonly method: StoreMethod;
  readonly args: readonly unknown[];
}

export type StoreAnswer =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  /** `damaged` is true if the index file was damaged and has been removed. */
  | { readonly id: number; readonly ok: false; readonly problem: string; readonly damaged: boolean };

/** The data that the thread gets when it starts. */
export interface StorePlace {
  readonly path: string;
  readonly maxBytes: number;
}
