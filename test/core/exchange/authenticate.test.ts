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

  it('a grant names the caller before any plugin, and one that is unknown or malformed changes nothing', async () => {
    const grant = 'a'.repeat(64);
    const given: string[] = [];
    const redeem = (text: string): Caller | null => {
      given.push(text);
      return text === grant ? callerOf('granted') : null;
    };
    const identify = composeIdentify([knows('a', callerOf('alice'))], redeem);
    const from = (headers: RequestHead['headers']) => identify(createTestHead({ headers }));
    expect(from({ 'x-koine-grant': grant })).to.deep.equal(callerOf('granted'));
    expect(asked).to.deep.equal([]);
    expect(from({ 'x-koine-grant': 'b'.repeat(64) })).to.deep.equal(callerOf('alice'));
    expect(from({ 'x-koine-grant': 'short' })).to.deep.equal(callerOf('alice'));
    expect(from({})).to.deep.equal(callerOf('alice'));
    expect(given).to.deep.equal([grant, 'b'.repeat(64)]);
    const later = composeIdentify([knows('a', callerOf('alice'))], async () => null);
    expect(await later(createTestHead({ headers: { 'x-koine-grant': grant } }))).to.deep.equal(callerOf('alice'));
  });

  it('responds 401 if no plugin recognises the caller', async () => {
    expect(catchError(() => composeIdentify([])(createTestHead())))
      .to.include({
        code: 'invalid_api_key',
        status: 401,
      })
      .and.have.property('message')
      .that.matches(/^No API key: /);
    const wrong = [
      ['authorization', 'Bearer wrong'],
      ['x-api-key', 'wrong'],
      ['authorization', 'Basic wrong'],
    ] as const;
    for (const [name, value] of wrong)
      expect(catchError(() => composeIdentify([])(createTestHead({ headers: { [name]: value } }))).message).to.equal(
        'Invalid API key',
      );
    for (const headers of [{ authorization: 'Bearer ' }, { authorization: '' }])
      expect(catchError(() => composeIdentify([])(createTestHead({ headers }))).message).to.match(/^No API key: /);
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
