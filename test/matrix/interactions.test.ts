import { expect } from 'chai';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { startUpstream, type TestUpstream } from '../support/upstream.ts';
import type { Answer } from './answer.ts';
import { cases } from './cases/index.ts';
import { idOf, settingsAt } from './catalog.ts';
import { senders } from './clients/clients.ts';
import { sendInteraction } from './interactions/client-interactions.ts';
import { bodyOf, framesOf, requestOf } from './interactions/convert.ts';
import { saidOf, type MatrixCase } from './matrix-case.ts';
import { modelsOf } from './run-case.ts';
import { textOf } from './vendors/vendors.ts';
import { finishReasons, reportedTokens, usageShapes, type Finish } from './wire-terms.ts';
import {
  defaultModels,
  modes,
  someTokens,
  wireNames,
  wires,
  type Json,
  type Mode,
  type Tokens,
  type Wire,
} from './wires.ts';

const WIRE = 'interactions';
type Side = Wire | typeof WIRE;

const statuses: Readonly<Record<Finish, string>> = {
  stop: 'completed',
  stop_sequence: 'completed',
  length: 'incomplete',
  tool_calls: 'requires_action',
  content_filter: 'incomplete',
};

const usageOf = (tokens: Tokens): Json => {
  const { fresh, read, write, output, reasoning } = tokens;
  const input = fresh + read + write;
  return { input, output: output - reasoning, thought: reasoning, cached: read, total: input + output };
};

const nameOf = (model: string): string => `${idOf('google', model)}-${WIRE}`;

const settings = (url: string): Json => {
  const names = [defaultModels, ...cases.map(modelsOf)];
  const { providers, models } = settingsAt(url, names) as { readonly providers: Json; readonly models: Json };
  const own = names.map(({ google: model }): readonly [string, Json] => [
    nameOf(model),
    { targets: [{ provider: 'google', model, wire: WIRE }], wires: [...wires.map((wire) => wireNames[wire]), WIRE] },
  ]);
  return { providers, models: { ...models, ...Object.fromEntries(own) } };
};

const vendorText = ({ vendor, tokens = someTokens }: MatrixCase, upstream: Side, mode: Mode): string => {
  if (upstream !== WIRE) return textOf(upstream, mode, vendor, tokens);
  return mode === 'plain' ? bodyOf(vendor.google, tokens) : framesOf(vendor.google, tokens).join('');
};

const expectAnswer = (answer: Answer, testCase: MatrixCase, client: Side, upstream: Side): void => {
  const { expected, tokens = someTokens, but } = testCase;
  // What a client of Google's older wire gets, and what it gets of that vendor.
  const [as, of] = [client === WIRE ? 'google' : client, upstream === WIRE ? 'google' : upstream] as const;
  const own = Object.assign({}, expected, ...(as === of ? [] : saidOf(but, as, of))) as typeof expected;
  expect(answer.text, 'text').to.equal(own.text ?? '');
  expect(answer.reasoning, 'reasoning').to.equal(own.reasoning ?? '');
  expect(
    answer.calls.map(({ name, input }) => ({ name, input })),
    'calls',
  ).to.deep.equal((own.calls ?? []).map(({ name, input }) => ({ name, input })));
  const reported = upstream === WIRE ? reportedTokens('google', tokens) : reportedTokens(upstream, tokens);
  if (client === WIRE) expect(answer.finish, 'status').to.equal(statuses[own.finish]);
  else if (own.finish !== 'content_filter')
    expect(answer.finish, 'finish').to.equal(own.finishWord ?? finishReasons[client][own.finish]);
  if (own.usage === undefined)
    expect(answer.usage, 'usage').to.deep.equal(client === WIRE ? usageOf(reported) : usageShapes[client](reported));
};

describe('the matrix of the wire interactions', () => {
  let gateway: TestGateway;
  let upstream: TestUpstream;

  before(async () => {
    upstream = await startUpstream();
    gateway = await startTestGateway(settings(upstream.url));
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
  });

  const run = async (testCase: MatrixCase, client: Side, target: Side, mode: Mode): Promise<Json> => {
    const models = modelsOf(testCase);
    const model = target === WIRE ? nameOf(models.google) : idOf(target, models[target]);
    const text = vendorText(testCase, target, mode);
    upstream.calls.length = 0;
    upstream.answer = (response) =>
      void response
        .writeHead(200, { 'content-type': mode === 'plain' ? 'application/json' : 'text/event-stream' })
        .end(text);
    const request = client === WIRE ? requestOf(testCase.request.google) : testCase.request[client];
    const send = client === WIRE ? sendInteraction : senders[client];
    expectAnswer(await send(gateway.url, { ...request, model }, mode), testCase, client, target);
    expect(upstream.calls).to.have.length(1);
    return upstream.calls[0]?.body as Json;
  };

  for (const testCase of cases)
    for (const mode of modes) {
      for (const other of wires) {
        it(`${testCase.name}: ${WIRE} to ${other}, ${mode}`, () => run(testCase, WIRE, other, mode));
        it(`${testCase.name}: ${other} to ${WIRE}, ${mode}`, async () => {
          const received = await run(testCase, other, WIRE, mode);
          expect(received).to.include({ store: false, stream: mode === 'streamed' });
        });
      }
      it(`${testCase.name}: ${WIRE} to ${WIRE}, ${mode}`, async () => {
        const received = await run(testCase, WIRE, WIRE, mode);
        const { stream: _stream, ...body } = received;
        expect(body).to.deep.equal({ ...requestOf(testCase.request.google), model: modelsOf(testCase).google });
      });
    }
});
