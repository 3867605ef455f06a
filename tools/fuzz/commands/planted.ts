import type { Importer } from '../../../core/api/internal.ts';

/** More CPU time than a planted case may take, and less than its long work takes. */
export const PLANTED_CPU_MS = 1_000;

const faults: readonly Importer['translate'][] = [
  () => {
    throw new TypeError('a planted fault');
  },
  () => ({ settings: { providers: 7 }, notes: [], variables: {}, expected: [] }),
  (source) => ({
    settings: { providers: {} },
    notes: [{ from: [], text: JSON.stringify(source) }],
    variables: {},
    expected: [],
  }),
  () => {
    const begin = process.cpuUsage();
    for (let spent = 0; spent < 1_200 * PLANTED_CPU_MS;) {
      // The clock is a system call, which takes longer than all else in a loop that only reads it.
      for (let turn = 0; turn < 1e7; turn += 1);
      const { user, system } = process.cpuUsage(begin);
      spent = user + system;
    }
    return { settings: {}, notes: [], variables: {}, expected: [] };
  },
];
let count = 0;

/** What a fuzzer of importers must find: an exception, a result that does not load, a copied secret, and long work. */
export const plantedImporter: Importer = {
  title: 'LiteLLM',
  translate: (source, help) => {
    count += 1;
    const fault = faults[count % 12 === 0 ? 3 : count % 3];
    return fault === undefined ? { settings: {}, notes: [], variables: {}, expected: [] } : fault(source, help);
  },
};
