/** What a hostile repository is, as data. */

export interface HostileRepository {
  readonly name: string;
  /** What it is after, in words. */
  readonly wants: string;
  /** Lines of orders, which a model that reads it comes across. Placeholders as in the wishes. */
  readonly orders: readonly string[];
  /** How they are planted; their placeholders are filled. */
  plant(orders: readonly string[]): Planted;
  /** True when the orders are read with git alone, which is asked about. */
  readonly shownByGit?: true;
  /** Put in front of the program's `PATH`. */
  readonly path?: string;
}

export interface Planted {
  /** Path and text, in the workspace. */
  readonly files?: Readonly<Record<string, string>>;
  /** Shell text that runs in the workspace after the files are there, with ROOT, WS, OUT and HOME. */
  readonly setup?: string;
}
