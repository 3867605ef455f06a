import { expect } from 'chai';
import { GatewayError, type GenerateRequest } from '../../../../core/api/index.ts';
import { type EventFilter, type Fit, omitUndefined } from '../../../../core/api/codec.ts';
import { createProfile, fitLaws } from '../../../../core/testing/index.ts';

const profiles = [createProfile('messages', { schema: false })];

/** The fit named `broken` that changes requests, and answers through a filter. */
const createFit = (
  change: (request: GenerateRequest) => GenerateRequest | undefined,
  filter?: () => EventFilter,
): Fit => ({
  name: 'broken',
  fit: (request) => {
    const changed = change(request);
    return changed === undefined ? undefined : omitUndefined({ request: changed, reply: filter });
  },
});
const messages = async (fit: Fit): Promise<string> => {
  const found: string[] = [];
  for (const { run } of fitLaws(fit, profiles)) {
    try {
      await run();
    } catch (thrown) {
      found.push(String(thrown));
    }
  }
  return found.join('\n');
};
const lowerCap = (request: GenerateRequest) => (request.maxTokens === 50 ? undefined : { ...request, maxTokens: 50 });
const pass: EventFilter = { push: (event, emit) => emit(event) };

describe('the laws of fits', () => {
  it('the fit laws pass for a fit that changes once, and for one that refuses', async () => {
    expect(await messages(createFit(lowerCap, () => pass))).to.equal('');
    expect(
      await messages(
        createFit(() => {
          throw new GatewayError('unsupported_parameter', 'no');
        }),
      ),
    ).to.equal('');
  });
  it('the fit laws call a fit only for targets it applies to', () => {
    const fit = createFit(lowerCap);
    expect(fitLaws({ ...fit, applies: ({ capabilities }) => capabilities.schema !== false }, profiles)).to.deep.equal(
      [],
    );
    expect(fitLaws(fit, profiles)).not.to.deep.equal([]);
  });

  const defects: readonly (readonly [defect: string, fit: Fit, words: string])[] = [
    [
      'a second change',
      createFit((request) => ({ ...request, turns: [...request.turns, ...request.turns] })),
      'not idempotent',
    ],
    ['writing into the request', createFit((request) => Object.assign(request, { maxTokens: 50 })), 'throws TypeError'],
    [
      'an error that is not its own',
      createFit(() => {
        throw new RangeError('odd');
      }),
      'throws RangeError',
    ],
    [
      'a filter that swallows the end',
      createFit(lowerCap, () => ({ push: (event, emit) => (event.type === 'response-end' ? undefined : emit(event)) })),
      'without response-end or error',
    ],
    [
      'a filter that swallows errors',
      createFit(lowerCap, () => ({ push: (event, emit) => (event.type === 'error' ? undefined : emit(event)) })),
      'when the stream fails after',
    ],
    [
      'a filter that leaves parts open',
      createFit(lowerCap, () => ({ push: (event, emit) => (event.type === 'part-end' ? undefined : emit(event)) })),
      'is open',
    ],
    [
      'a filter that remembers the last answer',
      createFit(
        lowerCap,
        (() => {
          let seen = 0;
          const filter: EventFilter = {
            push: (event, emit) => (event.type === 'usage' && seen++ > 0 ? undefined : emit(event)),
          };
          return () => filter;
        })(),
      ),
      'the second response',
    ],
  ];
  for (const [defect, fit, words] of defects) {
    it(`the fit laws detect ${defect}`, async () => {
      expect(await messages(fit)).to.include(words);
    });
  }
});
