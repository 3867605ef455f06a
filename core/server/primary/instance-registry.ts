import { linkHere, type AnswerAsk, type LinkPrimary } from '../link/link.ts';
import { startPrimaryInstances, type PrimaryInstances } from './primary-instances.ts';
import type { Runtime } from '../runtime.ts';

/** The primary instances of every generation that has not retired. */
export interface InstanceRegistry {
  /** Starts those of a generation. @throws GatewayError `KOINE_EXTENSION_*` */
  start(runtime: Runtime, generation: number): Promise<PrimaryInstances>;
  /** A generation is answered by its own instances; what outlives it, by the newest. */
  readonly answer: AnswerAsk;
  /** How plugins of a generation in this process reach their instances. */
  link(generation: number): LinkPrimary;
  workerGone(worker: number): void;
}

export function createInstanceRegistry(): InstanceRegistry {
  const byGeneration = new Map<number, PrimaryInstances>();
  const answer: AnswerAsk = (plugin, message, worker, generation) =>
    (byGeneration.get(generation) ?? [...byGeneration.values()].at(-1))?.answer(plugin, message, worker);
  return {
    start: async (runtime, generation) => {
      const instances = await startPrimaryInstances(runtime);
      byGeneration.set(generation, instances);
      runtime.opened.push({ name: 'place of the primary instances', close: () => byGeneration.delete(generation) });
      return instances;
    },
    answer,
    link: (generation) => linkHere(answer, generation),
    workerGone: (worker) => byGeneration.forEach((instances) => instances.workerGone(worker)),
  };
}
