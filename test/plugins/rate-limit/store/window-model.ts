/** An amount that was taken between two moments. */
interface Entry {
  readonly from: number;
  readonly to: number;
  amount: number;
}

/**
 * A reference model of a window, which keeps a list of everything: slow and simple. Moments are known only as spans: a
 * server's clock is read before and after.
 */
export interface WindowModel {
  add(from: number, to: number, amount: number): Entry;
  /** Surely within `per` before the decision. */
  surely(to: number): number;
  /** Possibly within `per` and a sixtieth before the decision. */
  possibly(from: number): number;
}

export const createWindowModel = (per: number): WindowModel => {
  const entries: Entry[] = [];
  const total = (counts: (entry: Entry) => boolean): number =>
    entries.filter(counts).reduce((sum, { amount }) => sum + amount, 0);
  return {
    add: (from, to, amount) => {
      const entry = { from, to, amount };
      entries.push(entry);
      return entry;
    },
    surely: (to) => total((entry) => entry.from > to - per),
    possibly: (from) => total((entry) => entry.to >= from - (per * 61) / 60 - 1),
  };
};
