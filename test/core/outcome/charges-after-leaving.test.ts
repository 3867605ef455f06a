import { expect } from 'chai';
import { measureSpending } from '../../../core/outcome/charges.ts';
import type { AttemptRecord, Ending, Exchange, GenerateRequest, Target, Usage } from '../../../core/api/index.ts';
import { createTestExchange, createTestRequest, createTestTarget } from '../../../core/testing/index.ts';
import { sampleRecord } from '../exchange/sample-exchange.ts';

const RESERVED = 500;
const SEEN = 100;
const reported: Usage = {
  inputUncached: 20,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 3,
  reasoning: 0,
  source: 'provider',
};
const left: Ending = { reason: 'client_closed', usage: undefined, outputChars: 4 * SEEN };

interface Case {
  readonly reasons?: Target['reasons'];
  readonly reasoning?: GenerateRequest['reasoning'];
  readonly ending?: Partial<Ending>;
  readonly record?: Partial<AttemptRecord>;
}

/** The output tokens that are charged. */
const outputOf = ({ reasons, reasoning, ending, record = {} }: Case): number | undefined => {
  const exchange = createTestExchange({
    estimate: { inputTokens: 100, outputTokens: RESERVED, declared: true },
    request: { ...createTestRequest(), ...(reasoning === undefined ? {} : { reasoning }) },
    targets: [createTestTarget('vendor/model', reasons === undefined ? {} : { reasons })],
  }) as Exchange;
  const attempts = [{ ...sampleRecord, target: 'vendor/model', ...record }];
  const { usage } = measureSpending({
    exchange,
    attempts,
    ending: record.committed === false ? undefined : { ...left, ...ending },
  });
  if (usage?.source !== 'estimated') expect(usage).to.equal(reported);
  return usage?.output;
};
const inFlight: Partial<AttemptRecord> = { committed: false, billedCalls: [undefined], clientLeft: true };

describe('the output charged to a client that left before the usage was known', () => {
  const cases: Readonly<Record<string, readonly [Case, number]>> = {
    'is the delivered output for a model that does not reason': [{}, SEEN],
    'is the reserved output for a model that reasons by default': [{ reasons: 'unasked' }, RESERVED],
    'is the delivered output if the request turns reasoning off': [
      { reasons: 'unasked', reasoning: { effort: 'none' } },
      SEEN,
    ],
    'is the delivered output if the request sets the reasoning budget to 0': [
      { reasons: 'unasked', reasoning: { budget: 0 } },
      SEEN,
    ],
    'is the reserved output for a model that always reasons, whatever the request sets': [
      { reasons: 'always', reasoning: { effort: 'none' } },
      RESERVED,
    ],
    'is the reserved output if the request sets a reasoning effort': [{ reasoning: { effort: 'low' } }, RESERVED],
    'is the reserved output if the request sets a reasoning budget': [{ reasoning: { budget: 1_024 } }, RESERVED],
    'is the delivered output if the request only sets whether reasoning is shown': [
      { reasoning: { show: false } },
      SEEN,
    ],
    'is the reserved output if reasoning was seen in the response': [{ ending: { reasoned: true } }, RESERVED],
    'is the reserved output if the response had a finish reason and no usage': [
      { reasons: 'unasked', ending: { finish: { reason: 'stop' } } },
      RESERVED,
    ],
    'is never less than the delivered output': [{ reasons: 'unasked', ending: { outputChars: 4_000 } }, 1_000],
    'is the reported output if the response was read to its end': [
      { reasons: 'unasked', ending: { usage: reported, readToEnd: true } },
      reported.output,
    ],
    'is the delivered output if the response was read to its end and reported nothing': [
      { reasons: 'unasked', ending: { readToEnd: true } },
      SEEN,
    ],
    'is the reserved output if the vendor continues the response in the background': [
      { ending: { usage: reported, readToEnd: true, finish: { reason: 'pause', unfinished: true } } },
      RESERVED,
    ],
    'is the delivered output if the upstream broke': [
      { reasons: 'unasked', ending: { reason: 'upstream_reset' } },
      SEEN,
    ],
    'is nothing for a call in flight to a model that does not reason': [{ record: inFlight }, 0],
    'is the reserved output for a call in flight to a model that reasons': [
      { reasons: 'unasked', record: inFlight },
      RESERVED,
    ],
    'is nothing for a call that had failed before the client left': [
      { reasons: 'unasked', record: { committed: false, billedCalls: [undefined] } },
      0,
    ],
  };
  for (const [name, [given, output]] of Object.entries(cases))
    it(`the charged output of a client that left ${name}`, () => expect(outputOf(given)).to.equal(output));
});
