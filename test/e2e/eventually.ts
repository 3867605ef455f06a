/** Polls, with far more patience than the gateway should need. */
export const eventually = async (what: string, test: () => boolean): Promise<void> => {
  for (let waited = 0; !test(); waited += 5) {
    if (waited > 1_000) throw new Error(`not within a second: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};
