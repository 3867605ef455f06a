import { ProduceAcks, Producer, stringSerializers } from '@platformatic/kafka';
import type { LiveServices } from '../../../core/api/index.ts';
import type { SinkRow } from './columns.ts';
import type { KafkaOptions } from './schema.ts';
import type { Sink } from './sink.ts';
import { readTls } from './tls.ts';

/** Characters of the messages that are sent at once: brokers take a megabyte by default. */
const SEND_LENGTH = 500_000;
const TIMEOUT_MS = 30_000;

interface Message {
  readonly topic: string;
  readonly key: string;
  readonly value: string;
}

/** Messages in parts that a broker takes. */
function* inParts(topic: string, rows: readonly SinkRow[]): Generator<Message[]> {
  let part: Message[] = [];
  let length = 0;
  for (const row of rows) {
    const value = JSON.stringify(row);
    if (part.length > 0 && length + value.length > SEND_LENGTH) {
      yield part;
      [part, length] = [[], 0];
    }
    part.push({ topic, key: row.id, value });
    length += value.length;
  }
  if (part.length > 0) yield part;
}

/** The client says how often it has tried; what happened is in the errors below. */
const explain = (error: unknown): never => {
  let last = error;
  while (last instanceof AggregateError && last.errors.length > 0) last = last.errors.at(-1);
  const { message, cause } = last instanceof Error ? last : new Error(String(last));
  throw new Error(cause instanceof Error ? `${message} ${cause.message}` : message, { cause: error });
};

/** Sends a message for each row, with its id as the key. All replicas that are in sync have it before the next part. */
export function openKafka({ brokers, topic, tls, sasl }: KafkaOptions, { folder }: LiveServices): Sink {
  const producer = new Producer({
    clientId: 'koine',
    bootstrapBrokers: [...brokers],
    serializers: stringSerializers,
    acks: ProduceAcks.ALL,
    autocreateTopics: false,
    connectTimeout: TIMEOUT_MS,
    timeout: TIMEOUT_MS,
    requestTimeout: TIMEOUT_MS,
    retries: 1,
    ...(tls === undefined ? {} : { tls: readTls(tls, folder) }),
    ...(sasl === undefined ? {} : { sasl }),
  });
  return {
    write: async (rows) => {
      for (const messages of inParts(topic, rows)) await producer.send({ messages }).catch(explain);
    },
    check: async () => void (await producer.metadata({ topics: [topic] }).catch(explain)),
    close: () => producer.close(true),
  };
}
