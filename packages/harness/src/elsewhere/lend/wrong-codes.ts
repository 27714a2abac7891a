/** Slows down machines that send wrong codes: after each wrong code a machine waits twice as long as before. */

export interface WrongCodes {
  /** Returns the milliseconds for which this machine has to wait; 0 if it may send a code. */
  waitOf(machine: string): number;
  /** Notes a wrong code of the machine. Returns the number of its wrong codes, and how long it has to wait in milliseconds. */
  note(machine: string): { readonly count: number; readonly waitMs: number };
}

const firstWaitMs = 1_000;
const maxWaitMs = 60_000;
/** The maximum number of machines that are remembered. The one whose last wrong code is the oldest is forgotten first. */
const maxMachines = 1_000;

/** Machines are told apart by their addresses. `now` returns a time in milliseconds. */
export function createWrongCodes(now: () => number): WrongCodes {
  const known = new Map<string, { readonly count: number; readonly until: number }>();
  return {
    waitOf: (machine) => Math.max(0, (known.get(networkOf(machine))?.until ?? 0) - now()),
    note(machine) {
      const network = networkOf(machine);
      const count = (known.get(network)?.count ?? 0) + 1;
      const waitMs = Math.min(firstWaitMs * 2 ** (count - 1), maxWaitMs);
      known.delete(network);
      known.set(network, { count, until: now() + waitMs });
      const [oldest] = known.keys();
      if (known.size > maxMachines && oldest !== undefined) known.delete(oldest);
      return { count, waitMs };
    },
  };
}

/** Returns what stays the same when one machine takes another address: the first half of an address of IPv6. */
function networkOf(machine: string): string {
  const plain = machine.replace(/^::ffff:(?=\d+\.)/i, "");
  if (!plain.includes(":")) return plain;
  const [before = "", after] = plain.split("%", 1).join("").split("::");
  const first = before.split(":").filter((group) => group !== "");
  const last = after === undefined ? [] : after.split(":").filter((group) => group !== "");
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => "0");
  return [...first, ...zeros, ...last].slice(0, 4).join(":");
}
