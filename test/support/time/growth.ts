/** Sizes of the input: the larger is this many times the smaller. */
const TIMES = 16;
/** Many small inputs and a large one of the same length cost the same if work is linear; if quadratic, 16 times. */
const MOST = 4;
/** Other processes and the collection of garbage can disturb one comparison, not all of them. */
const ATTEMPTS = 5;

const cpuTimeOf = async (work: () => Promise<void>): Promise<number> => {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
};

/**
 * Compares the CPU time of this thread for 16 small inputs with that for one input which is 16 times as large. Neither
 * a slow machine nor a busy one changes their relation.
 * @param work what is measured. `prepare` makes its input, outside the measurement
 * @returns whether the cost grows with the input, not with its square
 */
export const isLinear = async <T>(
  size: number,
  prepare: (size: number) => T,
  work: (input: T) => unknown,
): Promise<boolean> => {
  const [small, large] = [prepare(size), prepare(size * TIMES)];
  const repeat = async (): Promise<void> => {
    for (let run = 0; run < TIMES; run += 1) await work(small);
  };
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const several = await cpuTimeOf(repeat);
    if ((await cpuTimeOf(async () => void (await work(large)))) <= MOST * several) return true;
  }
  return false;
};
