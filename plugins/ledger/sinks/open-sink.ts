import { GatewayError, type LiveServices } from '../../../core/api/index.ts';
import type { SinkOptions, SinksOptions } from './schema.ts';
import type { Sink } from './sink.ts';

/** Opens a sink, and loads its client. @throws Error if its settings or the files that they name cannot be used */
export async function openSink({ clickhouse, kafka, s3 }: SinkOptions, services: LiveServices): Promise<Sink> {
  if (clickhouse !== undefined) return (await import('./clickhouse.ts')).openClickHouse(clickhouse, services);
  if (kafka !== undefined) return (await import('./kafka.ts')).openKafka(kafka, services);
  if (s3 !== undefined) return (await import('./s3.ts')).openS3(s3, services);
  throw new Error('The sink has no kind.');
}

const KAFKA = '@platformatic/kafka';

/**
 * Finds out whether the clients of the sinks are installed. Koine does not bring that of Kafka: it needs a newer Node.
 * @throws GatewayError KOINE_EXTENSION_DEPENDENCY_MISSING
 */
export function requireClients(sinks: SinksOptions): void {
  const [name] = Object.entries(sinks).find(([, { kafka }]) => kafka !== undefined) ?? [];
  if (name === undefined) return;
  try {
    import.meta.resolve(KAFKA);
  } catch (cause) {
    throw new GatewayError(
      'KOINE_EXTENSION_DEPENDENCY_MISSING',
      `sinks.${name} needs the client of Kafka, which is not installed. Run npm install ${KAFKA}@2 beside Koine.`,
      { cause },
    );
  }
}
