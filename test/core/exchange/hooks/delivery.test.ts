import { expect } from 'chai';
import { watchInterceptor } from '../../../../core/exchange/hooks/interceptor.ts';
import { createTestServices } from '../../../../core/testing/services.ts';
import type { Attempt, CallRecord, Ending, Output, Reply, Send } from '../../../../core/api/index.ts';
import { createTestExchange, createTestLog, createTestTarget } from '../../../../core/testing/index.ts';
import { createReply } from '../sample-exchange.ts';
import { useSimulatedTime } from '../../../support/time/simulated-time.ts';

const target = createTestTarget('vendor/model');
const ending: Ending = { reason: 'complete', usage: undefined, outputChars: 2 };
const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
/** The time limit of the plugin, in milliseconds. */
const TIMEOUT = 60;
const LATE = 250;

type Deliver = Reply['deliver'];

/** Delivers a response of `ab`, in two writes, through an interceptor that wraps it. */
const deliver = async (
  onError: 'fail' | 'skip',
  wrap: (inner: Deliver) => Deliver,
  { pause = 0, write = (): Promise<void> | undefined => undefined } = {},
) => {
  const log = createTestLog();
  const { metrics } = createTestServices();
  let text = '';
  const output: Output = { write: (bytes) => ((text += Buffer.from(bytes).toString()), write()) };
  const lane: Send = async () =>
    createReply(target, {
      deliver: async ({ write: put }) => {
        await put('a');
        await wait(pause);
        await put('b');
        return ending;
      },
    });
  const interceptor =
    (next: Send): Send =>
    async (attempt) => {
      const reply = await next(attempt);
      return { ...reply, deliver: wrap(reply.deliver) };
    };
  const exchange = createTestExchange();
  const send = watchInterceptor(interceptor, { plugin: 'mine', timeout: TIMEOUT, onError, log, metrics })(lane);
  const reply = await send({
    exchange,
    target,
    credential: 'key-1',
    request: exchange.request,
    calls: [] as CallRecord[],
  } as Attempt);
  const result = await (async () => reply.deliver(output))().catch((thrown: unknown) => thrown);
  const logged = log.lines
    .map(({ fields }) => fields as { readonly hook: string; readonly action: string; readonly error: Error })
    .map(({ hook, action, error }) => `${hook} ${action}: ${error.message}`);
  return { result, text, logged };
};
const never = <T>(): Promise<T> => new Promise(() => {});

describe('a delivery that an interceptor wraps', () => {
  useSimulatedTime();

  for (const action of ['fail', 'skip'] as const) {
    it(`does not limit the time of the inner delivery and of the client, onError: ${action}`, async () => {
      expect(
        await deliver(action, (inner) => (output) => inner(output), { pause: LATE, write: () => wait(LATE) }),
      ).to.deep.equal({ result: ending, text: 'ab', logged: [] });
    });

    it(`restarts the deadline of the interceptor with each write, onError: ${action}`, async () => {
      const paced =
        (inner: Deliver): Deliver =>
        async (output) => {
          for (let count = 0; count < 6; count += 1) {
            await wait(TIMEOUT / 3);
            await output.write('.');
          }
          return inner(output);
        };
      expect(await deliver(action, paced)).to.deep.equal({ result: ending, text: '......ab', logged: [] });
    });

    it(`keeps the response if the interceptor fails after its end, onError: ${action}`, async () => {
      const hangs =
        (inner: Deliver): Deliver =>
        async (output) => {
          await inner(output);
          return never();
        };
      expect(await deliver(action, hangs)).to.deep.equal({
        result: ending,
        text: 'ab',
        logged: [`interceptor skip: it did not finish within ${TIMEOUT} ms`],
      });
    });

    const stuck: Readonly<Record<string, Output['write']>> = {
      'never written': () => never(),
      'lost by an error': () => {
        throw new Error('no paper');
      },
    };
    for (const [name, write] of Object.entries(stuck)) {
      it(`ends the response with an error if an interceptor writes a part that is ${name}, onError: ${action}`, async () => {
        const { result, logged } = await deliver(action, (inner) => () => inner({ write }));
        expect(result).to.include({ code: 'internal_error' });
        expect(logged).to.deep.equal([
          `interceptor fail: ${name === 'never written' ? `it did not finish within ${TIMEOUT} ms` : 'no paper'}`,
        ]);
      });
    }
  }

  const wrongs: Readonly<Record<string, readonly [says: string, wrap: (inner: Deliver) => Deliver]>> = {
    'never begins': [`it did not finish within ${TIMEOUT} ms`, () => () => never()],
    'begins too late': [
      `it did not finish within ${TIMEOUT} ms`,
      (inner) => async (output) => (await wait(LATE), inner(output)),
    ],
    'throws': ['no', () => () => Promise.reject(new Error('no'))],
    'ends with nothing': ['it returned undefined, not an ending', () => async () => undefined as never],
  };
  for (const [name, [says, wrap]] of Object.entries(wrongs)) {
    it(`logs once, and refuses or skips, a delivery that ${name}`, async () => {
      const refused = await deliver('fail', wrap);
      expect(refused.result).to.include({ code: 'internal_error' });
      expect(refused).to.deep.include({ text: '', logged: [`interceptor fail: ${says}`] });
      expect(await deliver('skip', wrap)).to.deep.equal({
        result: ending,
        text: 'ab',
        logged: [`interceptor skip: ${says}`],
      });
    });
  }

  it('ignores writes of an interceptor that was skipped', async () => {
    const late =
      (inner: Deliver): Deliver =>
      async (output) => {
        await wait(LATE);
        await output.write('too late');
        return inner(output);
      };
    expect((await deliver('skip', late, { pause: 2 * LATE })).text).to.equal('ab');
  });

  it('lets an interceptor call the inner delivery only once', async () => {
    const twice =
      (inner: Deliver): Deliver =>
      async (output) => {
        await inner(output);
        return inner(output);
      };
    expect(await deliver('fail', twice)).to.deep.equal({
      result: ending,
      text: 'ab',
      logged: ['interceptor skip: it called next twice'],
    });
  });
});
