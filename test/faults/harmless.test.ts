import { expect } from 'chai';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { streamEnds } from '../support/calls.ts';
import type { HttpReply } from '../support/http.ts';
import { wires, type Mode, type Wire } from '../matrix/wires.ts';
import { exchangesOf, holdInvariants } from './checks/invariants.ts';
import { modelOf } from './models.ts';
import { overBoth, startFaultScene, type FaultScene } from './scene.ts';
import { answerWell, goodAnswer, goodBody, goodFrames } from './upstream/answers.ts';
import {
  chunk,
  complete,
  drip,
  head,
  headText,
  lastChunk,
  pause,
  plain,
  reset,
  write,
  type Step,
} from './upstream/steps.ts';

const encodings: Readonly<Record<string, (text: string) => Buffer>> = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
};
const halves = (bytes: Buffer): readonly Buffer[] => [bytes.subarray(0, 20), bytes.subarray(20)];
const typeOf = (mode: Mode): string => (mode === 'plain' ? 'application/json' : 'text/event-stream');
const textOf = (wire: Wire, mode: Mode): string => (mode === 'plain' ? goodBody(wire) : goodFrames(wire).join(''));

/** Unusual, but valid responses. */
const oddities: readonly (readonly [row: number, name: string, script: (wire: Wire, mode: Mode) => readonly Step[]])[] =
  [
    ...Object.entries(encodings).map(
      ([name, encode]) =>
        [
          19,
          `an answer in ${name}`,
          (wire: Wire, mode: Mode) => [
            head(200, { 'content-type': typeOf(mode), 'transfer-encoding': 'chunked', 'content-encoding': name }),
            ...halves(encode(textOf(wire, mode))).flatMap((half) => [chunk(half), pause(10)]),
            lastChunk,
            complete,
          ],
        ] as const,
    ),
    [
      9,
      'a head that arrives byte by byte',
      (wire, mode) => [
        ...drip(
          headText(200, { 'content-type': typeOf(mode), 'content-length': Buffer.byteLength(textOf(wire, mode)) }),
          1,
        ),
        write(textOf(wire, mode)),
        complete,
      ],
    ],
    [
      9,
      'a body that arrives byte by byte',
      (wire, mode) => [
        head(200, { 'content-type': typeOf(mode), 'content-length': Buffer.byteLength(textOf(wire, mode)) }),
        ...drip(textOf(wire, mode), 0),
        complete,
      ],
    ],
    [
      10,
      'a response that ends with its connection',
      (wire, mode) => [
        head(200, { 'content-type': typeOf(mode), connection: 'close' }),
        write(textOf(wire, mode)),
        pause(10),
        ({ socket }) => void socket.end(),
      ],
    ],
    [
      10,
      'more bytes than its length',
      (wire, mode) => [
        ...plain(200, textOf(wire, mode), { 'content-type': typeOf(mode) }),
        write('HTTP/1.1 200 OK\r\n\r\nmore'),
      ],
    ],
    [
      18,
      '200 headers',
      (wire, mode) =>
        goodAnswer(wire, mode, Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`x-${index}`, '1']))),
    ],
  ];

overBoth('what is odd and does no harm', (security) => {
  let scene: FaultScene;
  before(async () => {
    scene = await startFaultScene({ security });
  });
  after(() => scene.stop());
  afterEach(() => holdInvariants(scene));

  const expectGood = ({ status, text }: HttpReply, client: Wire, mode: Mode): void => {
    expect(status, text).to.equal(200);
    expect(text).to.include('Good').and.include('day.');
    if (mode === 'streamed') expect(text).to.match(streamEnds[client]);
    expect(exchangesOf(scene).at(-1))
      .to.include({ outcome: 'ok', ending: 'complete' })
      .and.to.not.have.property('tokens_estimated');
  };

  for (const [row, name, script] of oddities) {
    for (const mode of ['plain', 'streamed'] as const) {
      for (const [client, vendor] of [
        ['messages', 'messages'],
        ['chat', 'google'],
      ] as const) {
        it(`row ${row}: serves a response in spite of ${name}, ${mode}, ${client}>${vendor}`, async () => {
          scene.upstream.script = () => script(vendor, mode);
          const reply = await scene.call(client, modelOf(vendor), mode === 'streamed');
          await holdInvariants(scene);
          expectGood(reply, client, mode);
        });
      }
    }
  }

  for (const wire of wires) {
    it(`serves one response after the other over a connection, ${wire}`, async () => {
      scene.upstream.script = answerWell(wire, 'plain');
      await scene.call(wire, modelOf(wire), false);
      await holdInvariants(scene);
      const lines = scene.upstream.lines.length;
      scene.upstream.requests.length = 0;
      expectGood(await scene.call(wire, modelOf(wire), false), wire, 'plain');
      expect(scene.upstream.requests[0]?.before).to.be.greaterThan(0);
      expect(scene.upstream.lines).to.have.length(lines);
      await holdInvariants(scene);
    });

    for (const mode of ['plain', 'streamed'] as const) {
      it(`row 4: replaces a connection that was reset before the next request, ${mode}, ${wire}`, async () => {
        scene.upstream.script = answerWell(wire, mode);
        await scene.call(wire, modelOf(wire), mode === 'streamed');
        await holdInvariants(scene);
        scene.upstream.requests.length = 0;
        scene.upstream.script = ({ before }) => (before > 0 ? [reset] : goodAnswer(wire, mode));
        expectGood(await scene.call(wire, modelOf(wire), mode === 'streamed'), wire, mode);
        await holdInvariants(scene);
        const bodies = scene.upstream.requests.map(({ path, body }) => ({ path, body }));
        expect(bodies, 'the same bytes').to.have.length(2);
        expect(bodies[0]).to.deep.equal(bodies[1]);
        expect(exchangesOf(scene).at(-1)?.['attempts']).to.have.length(1);
      });
    }
  }
});
