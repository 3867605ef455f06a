/** A time during which something is not used, or not first. Monotonic milliseconds. */
export interface Rest {
  readonly until: number;
  readonly reason: string;
  /** The later end counts: a rest is never cut short. True where it has become longer. */
  extend(until: number, reason: string): boolean;
}

export function createRest(): Rest {
  let end = 0;
  let why = '';
  return {
    get until() {
      return end;
    },
    get reason() {
      return why;
    },
    extend: (until, reason) => {
      if (until <= end) return false;
      end = until;
      why = reason;
      return true;
    },
  };
}
