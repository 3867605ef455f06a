/** Polls until something is so, with far more patience than it should need. */
export const eventually = async (what: string, test: () => boolean): Promise<void> => {
  for (let waited = 0; !test(); waited += 5) {
    if (waited > 2_000) throw new Error(`not within two seconds: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};
