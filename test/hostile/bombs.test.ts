import { expect } from 'chai';
import { deflateSync, gzipSync } from 'node:zlib';
import { greet, helloFor, pathOf } from '../support/calls.ts';
import { goodHeaders, send, type HttpReply } from '../support/http.ts';
import { modelIds } from '../support/scene.ts';
import { startUpstream, type TestUpstream } from '../support/upstream.ts';
import { wires, type Wire } from '../matrix/wires.ts';
import { startGatewayProcess, type GatewayProcess } from './support/gateway-process.ts';

const MB = 1_048_576;
/** Attacks that run at the same time. */
const AT_ONCE = 8;
/** An idle process uses some 50 MB less than one that has been busy. */
const ROOM = 200 * MB;

const withMember = (wire: Wire, member: string): string =>
  `${JSON.stringify(helloFor(wire, modelIds[wire])).slice(0, -1)},"x":${member}}`;
const repeat = (item: string, bytes: number): string =>
  `[${item.repeat(Math.floor(bytes / item.length)).slice(0, -1)}]`;

/** Bodies that cost far more than their length suggests. */
const bombs: Readonly<Record<string, (wire: Wire) => { readonly body: Buffer; readonly encoding?: string }>> = {
  'gzip of 20 MB of empty lists, a thousand times its size': (wire) => ({
    body: gzipSync(withMember(wire, repeat('[],', 19 * MB)), { level: 9 }),
    encoding: 'gzip',
  }),
  'gzip of 31.9 MB of empty lists': (wire) => ({
    body: gzipSync(withMember(wire, repeat('[],', 31.9 * MB)), { level: 9 }),
    encoding: 'gzip',
  }),
  'deflate of 900 kB of empty lists, below every bound of bytes': (wire) => ({
    body: deflateSync(withMember(wire, repeat('[],', 900_000))),
    encoding: 'deflate',
  }),
  '19 MB of empty lists, as they are': (wire) => ({ body: Buffer.from(withMember(wire, repeat('[],', 19 * MB))) }),
  '19 MB of objects, with a long number': (wire) => ({
    body: Buffer.from(withMember(wire, `[12345678901234567890,${repeat('{"a":{}},', 19 * MB).slice(1)}`)),
  }),
  '19 MB of brackets that are never closed': (wire) => ({
    body: Buffer.from(withMember(wire, '['.repeat(19 * MB)).slice(0, -1)),
  }),
  '12 MB of objects of different shapes': (wire) => ({
    body: Buffer.from(
      withMember(
        wire,
        `[${Array.from({ length: 240_000 }, (_, index) => `{"a${index}":1,"b${index}":2,"c${index}":3}`).join(',')}]`,
      ),
    ),
  }),
  '19 MB of numbers': (wire) => ({ body: Buffer.from(withMember(wire, repeat('1,', 19 * MB))) }),
};

/** Refused as too large, or as too deep. */
const refusals: Readonly<Record<Wire, readonly number[]>> = {
  chat: [413, 400],
  messages: [413, 400],
  responses: [413, 400],
  google: [400],
};

describe('row 3: bodies that cost far more than their size, at a running gateway', () => {
  let upstream: TestUpstream;
  let gateway: GatewayProcess;
  let count = 0;
  before(async () => {
    upstream = await startUpstream();
    upstream.answer = greet;
    gateway = await startGatewayProcess({
      upstream: upstream.url,
      settings: { server: { overload: { lag: '1m', memory: '1gb' } } },
    });
    for (const wire of wires) await ask(wire);
  });
  after(async () => {
    await gateway?.end();
    await upstream?.stop();
  });

  const ask = async (
    wire: Wire,
    body: string | Uint8Array = JSON.stringify(helloFor(wire, modelIds[wire])),
    encoding?: string,
  ): Promise<HttpReply> => {
    count += 1;
    return send(gateway.url, {
      path: pathOf(wire, modelIds[wire]),
      headers: { ...goodHeaders, ...(encoding === undefined ? {} : { 'content-encoding': encoding }) },
      body,
    });
  };

  /** JSON as text, which a translation parses. */
  const nested: Readonly<Record<string, readonly string[]>> = {
    'one text of 15 MB': [`{"a":${repeat('[],', 15 * MB)}}`],
    'many texts, each of which is allowed': Array.from({ length: 25 }, () => `{"a":${repeat('[],', 0.5 * MB)}}`),
    'numbers': [`{"a":${repeat('1,', 15 * MB)}}`],
    'a text that is too deep to be counted': [`${'{"a":'.repeat(130)}${repeat('[],', 15 * MB)}${'}'.repeat(130)}`],
  };
  for (const [name, texts] of Object.entries(nested)) {
    for (const [what, calls, results] of [
      ['arguments', texts, texts.map(() => 'ok')],
      ['results', texts.map(() => '{}'), texts],
    ] as const) {
      it(`refuses ${what} of tool calls with too many values before they are parsed, as ${name}`, async () => {
        upstream.calls.length = 0;
        for (const target of ['messages', 'google'] as const) {
          const turns = [
            { role: 'user', content: 'Hi' },
            {
              role: 'assistant',
              content: null,
              tool_calls: calls.map((input, index) => ({
                id: `c${index}`,
                type: 'function',
                function: { name: 'f', arguments: input },
              })),
            },
            ...results.map((content, index) => ({ role: 'tool', tool_call_id: `c${index}`, content })),
          ];
          count += 1;
          const reply = await send(gateway.url, {
            path: pathOf('chat', modelIds[target]),
            body: JSON.stringify({ ...helloFor('chat', modelIds[target]), messages: turns }),
          });
          expect(reply.status, reply.text).to.equal(413);
          expect(reply.text).to.include('arguments and results of tool calls');
        }
        expect(upstream.calls).to.have.length(0);
      });
    }
  }

  for (const [name, make] of Object.entries(bombs)) {
    it(`refuses ${AT_ONCE} concurrent bodies (${name}), serves others meanwhile, and bounds its memory`, async () => {
      const attacks = wires.map((wire) => ({ wire, ...make(wire) }));
      upstream.calls.length = 0;
      const before = gateway.memory();
      let most = before;
      const watch = setInterval(() => (most = Math.max(most, gateway.memory())), 20);
      const replies = Promise.all(
        Array.from({ length: AT_ONCE }, async (_, index) => {
          const { wire, body, encoding } = attacks[index % attacks.length]!;
          return { wire, reply: await ask(wire, body, encoding) };
        }),
      );
      const beside = await ask('chat');
      const refused = await replies;
      clearInterval(watch);

      expect(beside.status).to.equal(200);
      for (const { wire, reply } of refused) {
        expect(reply.status, reply.text).to.be.oneOf(refusals[wire]);
        expect(reply.text).to.match(
          /decompresses to more than 200 times|larger than 20971520 bytes|more than \d+ (?:objects and lists|strings, numbers and literals)|different keys|nested deeper than 128/,
        );
      }
      expect(upstream.calls.length, 'calls of the provider').to.equal(1);
      // Each uncompressed body is held once while it arrives, up to the body limit.
      expect(most - before).to.be.below(ROOM + AT_ONCE * 20 * MB);
      await gateway.check(count);
      const lines = gateway
        .exchanges()
        .slice(-AT_ONCE - 1)
        .filter(({ outcome }) => outcome === 'client_error');
      expect(
        lines.map(({ key_alias }) => key_alias),
        'refusals count for their key',
      ).to.deep.equal(Array.from({ length: AT_ONCE }, () => 'alice'));
    });
  }
});
