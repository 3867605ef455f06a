import { expect } from 'chai';
import { composeIdentify } from '../../../core/exchange/authenticate.ts';
import { GatewayError, type Caller, type PluginInstance, type RequestHead } from '../../../core/api/index.ts';
import { catchError, catchRejection } from './catch-error.ts';
import { createTestHead } from '../../../core/testing/index.ts';

const callerOf = (key: string): Caller => ({ key, project: 'web', organization: 'acme', models: [] });

describe('the caller', () => {
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

  it('identifies the caller by the first plugin that recognises it, without a promise if the plugin returned none', () => {
    const caller = composeIdentify([
      knows('a', undefined),
      {},
      knows('b', callerOf('bob')),
      knows('c', callerOf('carol')),
    ])(createTestHead());
    expect(caller).to.deep.equal(callerOf('bob'));
    expect(asked).to.deep.equal(['a', 'b']);
  });

  it('identifies the caller in YAML order if plugins return promises', async () => {
    const caller = composeIdentify([
      knows('a', Promise.resolve(undefined)),
      knows('b', undefined),
      knows('c', Promise.resolve(callerOf('carol'))),
      knows('d', callerOf('dave')),
    ])(createTestHead());
    expect(caller).to.be.instanceOf(Promise);
    expect(await caller).to.deep.equal(callerOf('carol'));
    expect(asked).to.deep.equal(['a', 'b', 'c']);
  });

  it('identifies the caller after a slow plugin that did not recognise it', async () => {
    expect(
      await composeIdentify([knows('a', Promise.resolve(undefined)), knows('b', callerOf('bob'))])(createTestHead()),
    ).to.deep.equal(callerOf('bob'));
  });

  it('responds 401 if no plugin recognises the caller', async () => {
    expect(catchError(() => composeIdentify([])(createTestHead()))).to.include({
      code: 'invalid_api_key',
      status: 401,
      message: 'Invalid API key',
    });
    expect(catchError(() => composeIdentify([knows('a', undefined)])(createTestHead())).status).to.equal(401);
    const late = composeIdentify([knows('a', Promise.resolve(undefined)), knows('b', undefined)])(createTestHead());
    expect((await catchRejection(Promise.resolve(late))).status).to.equal(401);
  });

  it('refuses the caller if a plugin throws, and calls no further plugin', async () => {
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
        ])(createTestHead()),
      ),
    ).to.equal(down);
    expect(
      await catchRejection(
        Promise.resolve(
          composeIdentify([{ identify: () => Promise.reject(down) }, knows('b', callerOf('bob'))])(createTestHead()),
        ),
      ),
    ).to.equal(down);
    expect(asked).to.deep.equal([]);
  });

  it('identifies the caller from the head, by a hook bound to its plugin', () => {
    const plugin = {
      key: 'own',
      identify(head: RequestHead): Caller {
        return callerOf(`${this.key} ${head.id}`);
      },
    };
    expect(composeIdentify([plugin])(createTestHead())).to.deep.equal(callerOf('own req_1'));
  });
});
