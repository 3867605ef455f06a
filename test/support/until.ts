/** Waits with far more patience than should be needed. */
export const until = async (what: string, test: () => boolean | Promise<boolean>, everyMs = 10): Promise<void> => {
  const deadline = performance.now() + 40_000;
  while (!(await test())) {
    if (performance.now() > deadline) throw new Error(`never came: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
};
