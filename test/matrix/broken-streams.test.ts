import { expect } from 'chai';
import { breaks, breakStream, firstHalf, statusOf, type Break } from './vendors/breaks.ts';
import { idOf } from './catalog.ts';
import { overPairs, startMatrix, type MatrixScene } from './matrix-scene.ts';
import { errorFrames, fetchStream, goodEnds } from './clients/raw-stream.ts';
import { readStream, type StreamView } from './clients/read-stream.ts';
import { framesOf, type VendorAnswers } from './vendors/vendors.ts';
import type { Wire } from './wires.ts';

describe('matrix: streams that break', () => {
  let scene: MatrixScene;
  before(async () => {
    scene = await startMatrix();
  });
  after(() => scene.stop());

  const read = (client: Wire, wire: Wire): Promise<StreamView> => readStream(client, scene.gateway.url, idOf(wire));

  const checkBefore = async (broken: Break, client: Wire, wire: Wire): Promise<void> => {
    scene.upstream.answer = breakStream(broken, wire, 'before content');
    const line = await scene.logged(async () => {
      const { error, text } = await read(client, wire);
      expect(text).to.equal('');
      expect(error?.status, error?.message).to.equal(statusOf(broken, client));
    });
    expect(line).to.include({ outcome: 'upstream_error', status: statusOf(broken, client) });
  };

  const checkAfter = async (broken: Break, client: Wire, wire: Wire): Promise<void> => {
    scene.upstream.answer = breakStream(broken, wire, 'after content');
    const line = await scene.logged(async () => {
      const { error, text, finish } = await read(client, wire);
      expect(text).to.equal(firstHalf);
      expect(finish).to.equal(undefined);
      expect(error, 'the SDK ended well').to.not.equal(undefined);
      expect(error?.message).to.match(broken.message);
    });
    expect(line).to.include({ outcome: 'upstream_error', status: 200, ending: broken.ending });
  };

  /** The bytes have exactly one error, and nothing that ends a good response. */
  const checkBytes = async (broken: Break, client: Wire, wire: Wire): Promise<void> => {
    scene.upstream.answer = breakStream(broken, wire, 'after content');
    const text = await (await fetchStream(client, scene.gateway.url, idOf(wire))).text();
    expect(text.match(errorFrames[client]) ?? [], text).to.have.length(1);
    expect(text).to.not.match(goodEnds[client]);
    expect(text.endsWith('\n\n')).to.equal(true);
  };

  for (const broken of breaks) {
    overPairs((client, wire, pair) => [
      {
        title: `responds with an HTTP status to ${broken.name} before content (E31) over ${pair}`,
        run: () => checkBefore(broken, client, wire),
      },
      {
        title: `makes the SDK throw on ${broken.name} after content over ${pair}`,
        run: () => checkAfter(broken, client, wire),
      },
      {
        title: `sends one error frame for ${broken.name} after content (E30) over ${pair}`,
        run: () => checkBytes(broken, client, wire),
      },
    ]);
  }
});

/** A call whose arguments were cut off must not look complete. Google sends whole calls, so there is nothing to cut. */
describe('matrix: a stream that is cut off inside the arguments of a call (E32)', () => {
  let scene: MatrixScene;
  before(async () => {
    scene = await startMatrix();
  });
  after(() => scene.stop());

  const call = { id: 'call_1', name: 'get_weather' };
  const answers: VendorAnswers = {
    chat: { message: { tool_calls: [{ ...call, arguments: '{"city":"Paris"}' }] }, finish: 'tool_calls' },
    messages: { content: [{ type: 'tool_use', ...call, input: { city: 'Paris' } }], finish: 'tool_use' },
    responses: {
      output: [{ type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: '{"city":"Paris"}' }],
    },
    google: { parts: [{ functionCall: { ...call, args: { city: 'Paris' } } }], finish: 'STOP' },
  };
  /** The frames before the second half of the arguments. */
  const beforeParis = (wire: Wire): string => {
    const frames = framesOf(wire, answers);
    return frames
      .slice(
        0,
        frames.findIndex((frame) => frame.includes('Paris')),
      )
      .join('');
  };
  /** A client of Google can run every call that it receives, so it receives none. */
  const startedCall = /get_weather.*\{\\"city/s;
  const shown: Readonly<Record<Wire, RegExp>> = {
    chat: startedCall,
    messages: startedCall,
    responses: startedCall,
    google: /^(?!.*functionCall)/s,
  };

  const check = async (client: Wire, wire: Wire): Promise<void> => {
    const text = beforeParis(wire);
    scene.upstream.answer = (response) =>
      void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
    const received = await (await fetchStream(client, scene.gateway.url, idOf(wire))).text();
    expect(received).to.match(shown[client]);
    expect(received).to.not.match(goodEnds[client]);
    expect(received.match(errorFrames[client]) ?? [], received).to.have.length(1);
  };

  overPairs((client, wire, pair) =>
    wire === 'google'
      ? []
      : [
          {
            title: `ends a call that was cut off in an error and closes nothing (E32) over ${pair}`,
            run: () => check(client, wire),
          },
        ],
  );
});
