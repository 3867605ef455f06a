/** A request with a response. It was admitted between these two moments: performance.now() of one process. */
export interface Admission {
  readonly sentAt: number;
  readonly arrivedAt: number;
  readonly endedAt: number;
}

/**
 * The most that any window of this length has surely held: of the requests that were sent and had arrived within
 * it. The time that a request was on its way makes the result smaller, never larger than what was admitted.
 */
export const mostInAnyWindow = <A extends Admission>(
  admissions: readonly A[],
  lengthMs: number,
  weigh: (admission: A) => number,
): number => {
  let most = 0;
  for (const { sentAt: begin } of admissions) {
    let held = 0;
    for (const admission of admissions)
      if (admission.sentAt >= begin && admission.arrivedAt < begin + lengthMs) held += weigh(admission);
    most = Math.max(most, held);
  }
  return most;
};

/** The most requests that ran at once. */
export const mostAtOnce = (admissions: readonly Admission[]): number =>
  Math.max(
    0,
    ...admissions.map(
      ({ arrivedAt: at }) => admissions.filter(({ arrivedAt, endedAt }) => arrivedAt <= at && at < endedAt).length,
    ),
  );
