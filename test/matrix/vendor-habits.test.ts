import { expect } from 'chai';
import { answerSse } from '../support/upstream.ts';
import { idOf } from './catalog.ts';
import { thrownOf, type Kind } from './failures/thrown.ts';
import { startMatrix, type MatrixScene } from './matrix-scene.ts';
import { fetchStream } from './clients/raw-stream.ts';
import { readStream } from './clients/read-stream.ts';
import { goodDay } from './sample-bodies.ts';
import { framesOf } from './vendors/vendors.ts';
import { pairOf, wires, type Json, type Wire } from './wires.ts';
import { finishReasons, type Finish } from './wire-terms.ts';

/** Behaviour of vendors that their documentation does not describe. */
interface Habit {
  readonly name: string;
  readonly wire: Wire;
  readonly stream: string;
  /**
   * How the stream ends. `own` is the vendor's own finish reason for clients of its wire; `failure` is what clients
   * receive.
   */
  readonly end:
    | { readonly finish: Finish; readonly text: string; readonly own?: string }
    | { readonly failure: Kind; readonly message: RegExp };
  /** Text that clients of other wires must not receive. */
  readonly hidden?: string;
}
const whole = { finish: 'stop', text: 'Good day.' } as const;

const named = (type: string, members: Json): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
const chunk = (members: Json): string => `data: ${JSON.stringify(members)}\n\n`;
/** Inserts a frame between every two frames. */
const between = (wire: Wire, extra: string): string => framesOf(wire, goodDay).join(extra);
const candidate = (parts: readonly Json[], more: Json = {}): Json => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
});
const usageMetadata = { promptTokenCount: 12, candidatesTokenCount: 7, totalTokenCount: 19 };

const habits: readonly Habit[] = [
  {
    name: 'comments between all frames (E29)',
    wire: 'chat',
    stream: between('chat', ': OPENROUTER PROCESSING\n\n'),
    end: whole,
    hidden: 'OPENROUTER',
  },
  {
    name: 'pings and unknown events',
    wire: 'messages',
    stream: between('messages', named('ping', {}) + named('weather_report', { sky: 'blue' })),
    end: whole,
    hidden: 'weather_report',
  },
  {
    name: 'the event of a search that runs at the vendor (E29)',
    wire: 'responses',
    stream: framesOf('responses', goodDay)
      .toSpliced(
        2,
        0,
        named('response.web_search_call.searching', { output_index: 0, item_id: 'ws_1', sequence_number: 1 }),
      )
      .join(''),
    end: whole,
    hidden: 'web_search_call',
  },
  {
    name: 'a last response without its output',
    wire: 'responses',
    stream: framesOf('responses', goodDay)
      .map((frame) =>
        frame.startsWith('event: response.completed')
          ? frame.replace(/"output":\[.*?\],"usage"/, '"output":[],"usage"')
          : frame,
      )
      .join(''),
    end: whole,
  },
  {
    name: 'a finish reason beside the text, and usage in a chunk of its own',
    wire: 'google',
    stream: chunk(candidate([{ text: 'Good day.' }], { finishReason: 'STOP' })) + chunk({ usageMetadata }),
    end: whole,
  },
  {
    name: 'a signature on an empty text in the last chunk',
    wire: 'google',
    stream:
      chunk(candidate([{ text: 'Good day.' }])) +
      chunk({ ...candidate([{ text: '', thoughtSignature: 'U0lH' }], { finishReason: 'STOP' }), usageMetadata }),
    end: whole,
  },
  {
    name: 'a malformed call of the model (E35)',
    wire: 'google',
    stream: chunk({
      candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'Malformed call.', index: 0 }],
      usageMetadata,
    }),
    end: { finish: 'stop', text: '', own: 'MALFORMED_FUNCTION_CALL' },
  },
  ...wires.map((wire): Habit => ({
    name: 'an empty stream',
    wire,
    stream: '',
    end: { failure: 'cut off', message: /ended before it was complete/ },
  })),
];

describe('matrix: undocumented behaviour of vendors', () => {
  let scene: MatrixScene;
  before(async () => {
    scene = await startMatrix();
  });
  after(() => scene.stop());

  const check = async ({ wire, stream, end, hidden }: Habit, client: Wire): Promise<void> => {
    scene.upstream.answer = (response) => answerSse(response, stream);
    const { text, finish, error } = await readStream(client, scene.gateway.url, idOf(wire));
    if ('failure' in end) {
      expect(error?.status, error?.message).to.equal(thrownOf(end.failure, client).status);
      expect(error?.message).to.match(end.message);
      return;
    }
    const word = (client === wire ? end.own : undefined) ?? finishReasons[client][end.finish];
    expect({ text, finish, error }).to.deep.equal({ text: end.text, finish: word, error: undefined });
    if (hidden !== undefined && client !== wire)
      expect(await (await fetchStream(client, scene.gateway.url, idOf(wire))).text()).to.not.include(hidden);
  };

  for (const habit of habits) {
    for (const client of wires)
      it(`reads a stream as vendors send it: ${habit.name}: ${pairOf(client, habit.wire)}`, () => check(habit, client));
  }
});
