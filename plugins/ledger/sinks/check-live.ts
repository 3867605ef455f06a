import type { LiveServices, OptionFinding } from '../../../core/api/index.ts';
import type { SinkOptions, SinksOptions } from './schema.ts';
import { openSink } from './open-sink.ts';

/** @returns why the sink cannot be used; undefined if it can */
const trySink = async (options: SinkOptions, services: LiveServices): Promise<string | undefined> => {
  try {
    const sink = await openSink(options, services);
    await sink.check().finally(() => sink.close());
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

/** Tries each sink, all at once. */
export async function checkLive(sinks: SinksOptions, services: LiveServices): Promise<readonly OptionFinding[]> {
  const tried = Object.entries(sinks).map(async ([name, options]) => {
    const message = await trySink(options, services);
    return message === undefined ? [] : [{ path: ['sinks', name], message }];
  });
  return (await Promise.all(tried)).flat();
}
