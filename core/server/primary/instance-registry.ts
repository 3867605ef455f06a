import { linkHere, type AnswerAsk, type LinkPrimary } from '../link/link.ts';
import { startPrimaryHalves, type PrimaryHalves } from './primary-instances.ts';
import type { Runtime } from '../runtime.ts';

/** The primary halves of every edition that has not retired. */
export interface HalvesRegister {
  /** Starts those of an edition. @throws GatewayError `KOINE_EXTENSION_*` */
  start(runtime: Runtime, edition: number): Promise<PrimaryHalves>;
  /** An edition is answered by its own halves; what outlives it, by the newest. */
  readonly answer: AnswerAsk;
  /** How plugins of an edition in this process reach their halves. */
  link(edition: number): LinkPrimary;
  workerGone(worker: number): void;
}

export function createHalvesRegister(): HalvesRegister {
  const byEdition = new Map<number, PrimaryHalves>();
  const answer: AnswerAsk = (plugin, message, worker, edition) =>
    (byEdition.get(edition) ?? [...byEdition.values()].at(-1))?.answer(plugin, message, worker);
  return {
    start: async (runtime, edition) => {
      const halves = await startPrimaryHalves(runtime);
      byEdition.set(edition, halves);
      runtime.opened.push({ name: 'place of the primary halves', close: () => byEdition.delete(edition) });
      return halves;
    },
    answer,
    link: (edition) => linkHere(answer, edition),
    workerGone: (worker) => byEdition.forEach((halves) => halves.workerGone(worker)),
  };
}
