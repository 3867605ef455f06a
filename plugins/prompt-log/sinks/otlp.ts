import { readDuration, type Fetch } from '../../../core/api/index.ts';
import type { OtlpOptions } from '../schema.ts';
import type { Sink } from './sink.ts';

const INFO = 9;

/** Sends log records to a collector: OTLP over HTTP in JSON. */
export function createOtlp({ endpoint, headers, service, timeout }: OtlpOptions, fetch: Fetch): Sink {
  const timeoutMs = readDuration(timeout);
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: service } }] };
  return {
    name: 'otlp',
    write: async (lines) => {
      const logRecords = lines.map(({ text, time }) => ({
        timeUnixNano: `${time}000000`,
        observedTimeUnixNano: `${time}000000`,
        severityNumber: INFO,
        severityText: 'INFO',
        body: { stringValue: text },
      }));
      const body = JSON.stringify({
        resourceLogs: [{ resource, scopeLogs: [{ scope: { name: 'koine.prompt-log' }, logRecords }] }],
      });
      const { status } = await fetch(endpoint, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
        timeoutMs,
      });
      if (status < 200 || status > 299) throw new Error(`the collector answered with status ${status}`);
    },
  };
}
