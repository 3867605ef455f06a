import { expect } from 'chai';
import { composeIdentify } from '../../../core/exchange/authenticate.ts';
import { GatewayError, type Caller, type PluginInstance, type RequestHead } from '../../../core/index.ts';
import { catchError, catchRejection } from './catch-error.ts';
import { sampleHead } from './sample-exchange.ts';

const callerOf = (key: string): Caller => ({ key, project: 'web', organization: 'acme', models: [] });

describe('who calls', () => {
  let asked: string[];
  beforeEach(() => {
    asked = [];
  });
  const knows = (name: string, answer: ReturnType<NonNullable<PluginInstance['identify']>>): PluginInstance => ({
    identify: () => {
      asked.push(name);
      return answer;
    },
  });

  it('is what the first plugin says that knows, without a promise when there was none', () => {
    const caller = composeIdentify([
      knows('a', undefined),
      {},
      knows('b', callerOf('bob')),
      knows('c', callerOf('carol')),
    ])(sampleHead);
    expect(caller).to.deep.equal(callerOf('bob'));
    expect(asked).to.deep.equal(['a', 'b']);
  });

  it('is asked in YAML order where plugins take their time', async () => {
    const caller = composeIdentify([
      knows('a', Promise.resolve(undefined)),
      knows('b', undefined),
      knows('c', Promise.resolve(callerOf('carol'))),
      knows('d', callerOf('dave')),
    ])(sampleHead);
    expect(caller).to.be.instanceOf(Promise);
    expect(await caller).to.deep.equal(callerOf('carol'));
    expect(asked).to.deep.equal(['a', 'b', 'c']);
  });

  it('is known at once after a slow plugin that did not know', async () => {
    expect(
      await composeIdentify([knows('a', Promise.resolve(undefined)), knows('b', callerOf('bob'))])(sampleHead),
    ).to.deep.equal(callerOf('bob'));
  });

  it('is a 401 where nobody knows', async () => {
    expect(catchError(() => composeIdentify([])(sampleHead))).to.include({
      code: 'invalid_api_key',
      status: 401,
      message: 'Invalid API key',
    });
    expect(catchError(() => composeIdentify([knows('a', undefined)])(sampleHead)).status).to.equal(401);
    const late = composeIdentify([knows('a', Promise.resolve(undefined)), knows('b', undefined)])(sampleHead);
    expect((await catchRejection(Promise.resolve(late))).status).to.equal(401);
  });

  it('is refused by a plugin that throws, and nobody further is asked', async () => {
    const down = new GatewayError('service_unavailable');
    expect(
      catchError(() =>
        composeIdentify([
          {
            identify: () => {
              throw down;
            },
          },
          knows('b', callerOf('bob')),
        ])(sampleHead),
      ),
    ).to.equal(down);
    expect(
      await catchRejection(
        Promise.resolve(
          composeIdentify([{ identify: () => Promise.reject(down) }, knows('b', callerOf('bob'))])(sampleHead),
        ),
      ),
    ).to.equal(down);
    expect(asked).to.deep.equal([]);
  });

  it('is read from the head by a plugin that is bound to itself', () => {
    const plugin = {
      key: 'own',
      identify(head: RequestHead): Caller {
        return callerOf(`${this.key} ${head.id}`);
      },
    };
    expect(composeIdentify([plugin])(sampleHead)).to.deep.equal(callerOf('own req_1'));
  });
});
