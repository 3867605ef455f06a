import { createLocalLink, type HandleRequest, type LinkPrimary } from '../link/link.ts';
import type { Runtime } from '../runtime.ts';
import { startPrimaryInstances, type PrimaryInstances } from './primary-instances.ts';

/** The primary instances of every configuration generation that has not retired. */
export interface InstanceRegistry {
  /** Starts those of a generation. @throws GatewayError `KOINE_EXTENSION_*` */
  start(runtime: Runtime, generation: number): Promise<PrimaryInstances>;
  /** Passes a request to the instance of its generation, or of the newest one if that has retired. */
  readonly handle: HandleRequest;
  /** The links of plugins of a generation in this process. */
  link(generation: number): LinkPrimary;
  workerGone(worker: number): void;
}

export function createInstanceRegistry(): InstanceRegistry {
  const byGeneration = new Map<number, PrimaryInstances>();
  const handle: HandleRequest = (plugin, message, worker, generation) =>
    (byGeneration.get(generation) ?? [...byGeneration.values()].at(-1))?.handle(plugin, message, worker);
  return {
    start: async (runtime, generation) => {
      const instances = await startPrimaryInstances(runtime);
      byGeneration.set(generation, instances);
      runtime.opened.push({
        name: 'entry in the instance registry',
        close: () => byGeneration.delete(generation),
      });
      return instances;
    },
    handle,
    link: (generation) => createLocalLink(handle, generation),
    workerGone: (worker) => byGeneration.forEach((instances) => instances.workerGone(worker)),
  };
}
