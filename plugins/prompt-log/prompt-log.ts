import {
  parseSize,
  type Exchange,
  type Outcome,
  type PluginInstance,
  type Reply,
  type Services,
} from '../../core/api/index.ts';
import { isInScope } from '../shared/scope.ts';
import { encryptLine, readKey } from './encryption.ts';
import { RecordQueue } from './queue.ts';
import { createWriteRecord, type Kept } from './record.ts';
import type { PromptLogOptions } from './schema.ts';
import { Files } from './sinks/files.ts';
import { createOtlp } from './sinks/otlp.ts';

/** The beginning of a response, copied while it is sent. */
class Copy {
  readonly #chunks: Uint8Array[] = [];
  readonly #maxBytes: number;
  length = 0;
  isCut = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(bytes: string | Uint8Array): void {
    const copied = Buffer.from(bytes).subarray(0, this.#maxBytes - this.length);
    if (copied.length < Buffer.byteLength(bytes)) this.isCut = true;
    if (copied.length === 0) return;
    this.#chunks.push(copied);
    this.length += copied.length;
  }

  read(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}

/** A queue for each sink, so that none waits for another. */
async function openQueues(options: PromptLogOptions, services: Services): Promise<readonly RecordQueue[]> {
  const { files, otlp, s3, encryptionKey, redact, memory } = options;
  const key = encryptionKey === '' ? undefined : readKey(encryptionKey);
  const writeRecord = createWriteRecord(redact, services.codec);
  const writeLine = (kept: Kept): string =>
    key === undefined ? writeRecord(kept) : encryptLine(key, writeRecord(kept), kept.exchange.id);
  const { log, metrics } = services;
  const sinks = [
    ...(files === undefined ? [] : [new Files(files, services)]),
    ...(otlp === undefined ? [] : [createOtlp(otlp, services.fetch)]),
    ...(s3 === undefined ? [] : [await (await import('./sinks/s3.ts')).createS3(s3, services)]),
  ];
  return sinks.map((sink) => new RecordQueue({ sink, writeLine, maxBytes: parseSize(memory), log, metrics }));
}

/** Copies what is sent to clients, and queues it when the exchange has ended. */
export async function createPromptLog(options: PromptLogOptions, services: Services): Promise<PluginInstance> {
  const queues = await openQueues(options, services);
  const maxBytes = parseSize(options.maxResponse);
  const copies = new Map<Exchange, Copy>();
  const queueRecord = (exchange: Exchange, outcome: Outcome, copy: Copy): void => {
    const kept: Kept = {
      exchange,
      outcome,
      endedAt: services.clock.now(),
      isCut: copy.isCut,
      ...(copy.length === 0 ? {} : { body: copy.read() }),
    };
    for (const queue of queues) queue.add(kept, exchange.inbound.raw.byteLength + copy.length);
  };
  const copyReply = (reply: Reply, copy: Copy): Reply => ({
    ...reply,
    deliver: (output) =>
      reply.deliver({
        write: (bytes, isLast) => {
          copy.add(bytes);
          return output.write(bytes, isLast);
        },
      }),
  });
  return {
    admit: (exchange) => {
      if (!isInScope(options, exchange) || Math.random() >= options.share) return undefined;
      const copy = new Copy(maxBytes);
      copies.set(exchange, copy);
      return {
        settle: (outcome) => {
          copies.delete(exchange);
          queueRecord(exchange, outcome, copy);
        },
      };
    },
    interceptor: (next) => async (attempt) => {
      const copy = copies.get(attempt.exchange);
      const reply = await next(attempt);
      return copy === undefined ? reply : copyReply(reply, copy);
    },
    explain: (exchange) => ({ logged: isInScope(options, exchange) ? options.share : 0 }),
    close: async () => {
      await Promise.all(queues.map((queue) => queue.close()));
    },
  };
}
