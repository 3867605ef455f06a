import { expect } from 'chai';
import { chooseWire } from '../../../core/dispatch/choose-wire.ts';
import type { Endpoint, Exchange, Operation, EndpointWire } from '../../../core/api/index.ts';
import { omitUndefined } from '../../../core/api/codec.ts';
import { catchError } from '../exchange/catch-error.ts';
import { createTestExchange, createTestTarget } from '../../../core/testing/index.ts';

const speech = (wire: string, operation: Operation = 'generate'): EndpointWire => ({
  wire,
  operation,
  buildRequest: ({ headers, body }) => ({ origin: 'http://x', path: '/', headers, body }),
});
const targetOf = (endpoint: Partial<Endpoint>, wire?: string) =>
  createTestTarget(
    'vendor/model',
    omitUndefined({
      endpoint: {
        wires: [speech('responses'), speech('chat-completions')],
        origin: { provider: 'v', family: 'v' },
        ...endpoint,
      },
      wire,
    }),
  );

describe('the wire of an attempt', () => {
  it('chooses the wire that the configuration pins over any other', () => {
    expect(chooseWire(createTestExchange(), targetOf({ chooseWire: () => 'responses' }, 'messages'))).to.equal(
      'messages',
    );
  });

  it('chooses the wire that the endpoint selects for this request and this client', () => {
    const exchange = createTestExchange();
    const asked: unknown[] = [];
    const chooseForEndpoint: Endpoint['chooseWire'] = (request, clientWire) => {
      asked.push(request, clientWire);
      return 'responses';
    };
    expect(chooseWire(exchange, targetOf({ chooseWire: chooseForEndpoint }))).to.equal('responses');
    expect(asked[0]).to.equal(exchange.request);
    expect(asked[1]).to.equal('chat-completions');
  });

  it('does not let the endpoint choose for operations other than generate', () => {
    const exchange = { ...createTestExchange(), operation: 'count-tokens' } as Exchange;
    expect(
      chooseWire(exchange, targetOf({ wires: [speech('messages', 'count-tokens')], chooseWire: () => 'responses' })),
    ).to.equal('messages');
  });

  it("chooses the client's own wire if the target supports it", () => {
    expect(chooseWire(createTestExchange(), targetOf({}))).to.equal('chat-completions');
  });

  it("chooses the first wire of the target if the target does not support the client's", () => {
    expect(
      chooseWire(
        createTestExchange(),
        targetOf({ wires: [speech('messages', 'count-tokens'), speech('responses'), speech('messages')] }),
      ),
    ).to.equal('responses');
  });

  it('throws unsuitable if the target does not serve the operation, so that the next target can be tried', () => {
    const error = catchError(() =>
      chooseWire(createTestExchange(), targetOf({ wires: [speech('chat-completions', 'embed')] })),
    );
    expect(error).to.include({ code: 'unsupported_parameter', failure: 'unsuitable' });
    expect(error.message).to.include('vendor/model').and.include('generate');
  });
});
