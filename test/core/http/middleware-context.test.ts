import { expect } from 'chai';
import type { MiddlewareContext } from '../../../core/contracts/exchange.ts';
import { extendContext } from '../../../core/http/middleware-context.ts';
import { createManualClock } from '../tenancy/tenancy-setup.ts';

const createContext = (members: object): MiddlewareContext => {
  const prototype = {};
  extendContext(prototype, {
    readAddress: () => '192.0.2.1',
    clock: createManualClock(),
    find: () => undefined,
  });
  return Object.assign(
    Object.create(prototype) as MiddlewareContext,
    { method: 'GET', path: '/v1/x', res: {} },
    members,
  );
};

describe('the context of middleware', () => {
  it('has the address, the headers and the query of its request', () => {
    const { ip, headers, query, route } = createContext({ req: { url: '/v1/x?a=1&b=%20', headers: { 'x-a': 'b' } } });
    expect({ ip, headers: { ...headers }, query: { ...query }, route }).to.deep.equal({
      ip: '192.0.2.1',
      headers: { 'x-a': 'b' },
      query: { a: '1', b: ' ' },
      route: undefined,
    });
    expect({ ...createContext({ req: { headers: {} } }).query }).to.deep.equal({});
  });

  it('has one id for a request, that of its response if there is one', () => {
    const context = createContext({ req: { headers: {} } });
    expect(context.requestId).to.match(/^req_/).and.to.equal(context.requestId);
    expect(createContext({ req: { headers: {} }, res: { head: { id: 'req_1' } } }).requestId).to.equal('req_1');
  });
});
