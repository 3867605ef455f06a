import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
  readonly name: string;
  readonly kind: number;
  /** Unix milliseconds. */
  readonly start: number;
  readonly end: number;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly service: unknown;
}

export interface Collector {
  readonly url: string;
  readonly spans: ReceivedSpan[];
  readonly headers: IncomingHttpHeaders[];
  /** Status of all further responses. */
  status: number;
  /** `retry-after` of refused exports, in seconds. */
  retryAfter: number;
  /** Resolves when this many spans have arrived. */
  received(count: number): Promise<readonly ReceivedSpan[]>;
  stop(): Promise<void>;
}

/** Fields of one message, by number. https://protobuf.dev/programming-guides/encoding/ */
type Message = ReadonlyMap<number, readonly (bigint | Buffer)[]>;

const decode = (bytes: Buffer): Message => {
  const fields = new Map<number, (bigint | Buffer)[]>();
  let at = 0;
  const readVarint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at);
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Buffer => bytes.subarray(at, (at += length));
  while (at < bytes.length) {
    const tag = Number(readVarint());
    const kind = tag & 7;
    if (![0, 1, 2, 5].includes(kind)) throw new Error(`wire type ${kind} is none`);
    const value = kind === 0 ? readVarint() : kind === 1 ? take(8) : kind === 5 ? take(4) : take(Number(readVarint()));
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
};

const list = (message: Message, field: number): readonly Message[] =>
  (message.get(field) ?? []).map((value) => decode(value as Buffer));
const bytesOf = (message: Message, field: number): Buffer =>
  (message.get(field)?.[0] as Buffer | undefined) ?? Buffer.alloc(0);
const nanosOf = (message: Message, field: number): number =>
  Number(bytesOf(message, field).readBigUInt64LE() / 1_000n) / 1_000;

/** https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/common/v1/common.proto */
const readValue = (value: Message): unknown => {
  if (value.has(1)) return bytesOf(value, 1).toString();
  if (value.has(2)) return value.get(2)?.[0] === 1n;
  if (value.has(3)) return Number(BigInt.asIntN(64, value.get(3)?.[0] as bigint));
  if (value.has(4)) return bytesOf(value, 4).readDoubleLE();
  return list(decode(bytesOf(value, 5)), 1).map(readValue);
};
const readAttributes = (message: Message, field: number): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    list(message, field).map((pair) => [bytesOf(pair, 1).toString(), readValue(decode(bytesOf(pair, 2)))]),
  );

/** https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto */
const readSpans = (body: Buffer): readonly ReceivedSpan[] =>
  list(decode(body), 1).flatMap((ofResource) => {
    const service = readAttributes(decode(bytesOf(ofResource, 1)), 1)['service.name'];
    return list(ofResource, 2).flatMap((ofScope) =>
      list(ofScope, 2).map((span) => ({
        traceId: bytesOf(span, 1).toString('hex'),
        spanId: bytesOf(span, 2).toString('hex'),
        parentId: bytesOf(span, 4).toString('hex'),
        name: bytesOf(span, 5).toString(),
        kind: Number(span.get(6)?.[0] ?? 0n),
        start: nanosOf(span, 7),
        end: nanosOf(span, 8),
        attributes: readAttributes(span, 9),
        failed: decode(bytesOf(span, 15)).get(3)?.[0] === 2n,
        service,
      })),
    );
  });

/** A collector that accepts OTLP over HTTP as protobuf only. */
export const startCollector = async (): Promise<Collector> => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const good =
        request.method === 'POST' &&
        request.url === '/v1/traces' &&
        request.headers['content-type'] === 'application/x-protobuf';
      collector.headers.push(request.headers);
      if (good && collector.status === 200) collector.spans.push(...readSpans(Buffer.concat(chunks)));
      response
        .writeHead(good ? collector.status : 400, {
          'content-type': 'application/x-protobuf',
          'retry-after': String(collector.retryAfter),
        })
        .end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    spans: [],
    headers: [],
    status: 200,
    retryAfter: 1,
    received: async (count) => {
      for (
        const deadline = performance.now() + 30_000;
        collector.spans.length < count;
        await new Promise((resolve) => setTimeout(resolve, 10))
      ) {
        if (performance.now() > deadline) throw new Error(`only ${collector.spans.length} of ${count} spans came`);
      }
      return collector.spans;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return collector;
};
