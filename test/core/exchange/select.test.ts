import { expect } from 'chai';
import { createCatalog } from '../../../core/catalog/catalog.ts';
import { selectModel } from '../../../core/exchange/select.ts';
import type { Caller } from '../../../core/index.ts';
import { messagesCodec } from '../../../providers/anthropic/messages/index.ts';
import { responsesCodec } from '../../../providers/openai/responses/index.ts';
import { catchError } from './catch-error.ts';

const model = { wires: ['chat-completions', 'messages'], targets: [], capabilities: {} };
const catalog = createCatalog(
  {
    models: { 'a/open': model, 'b/closed': model, 'a/chat-only': { ...model, wires: ['chat-completions'] } },
    aliases: { fast: 'a/open', slow: 'b/closed', 'a/looks-open': 'b/closed' },
  },
  new Map(),
  [],
  0,
);
const caller: Caller = { key: 'alice', project: 'web', organization: 'acme', models: ['a/*'] };
const refusal = (name: string, wire = 'messages') => catchError(() => selectModel(catalog, name, caller, wire));

describe('the model of an exchange', () => {
  it('is found by its id and by an alias', () => {
    expect(selectModel(catalog, 'a/open', caller, 'messages').id).to.equal('a/open');
    expect(selectModel(catalog, 'fast', caller, 'messages').id).to.equal('a/open');
  });

  it('may be any for a caller without a list', () => {
    expect(selectModel(catalog, 'b/closed', { ...caller, models: [] }, 'messages').id).to.equal('b/closed');
  });

  it('looks the same whether it does not exist or is not for this key', () => {
    const describeError = (name: string) => {
      const { code, status, message, param } = refusal(name);
      return { code, status, param, message: message.replace(name, '…') };
    };
    expect(describeError('b/closed')).to.deep.equal(describeError('b/nothing'));
    expect(describeError('b/closed')).to.include({ code: 'model_not_found', status: 404, param: 'model' });
  });

  it('is checked after aliases: neither an alias nor its name opens a closed one', () => {
    expect(refusal('slow').status).to.equal(404);
    expect(refusal('a/looks-open').status).to.equal(404);
    expect(refusal('slow').message).to.not.include('b/closed');
  });

  it('is a 400 on the responses wire where it is unknown or closed', () => {
    for (const name of ['b/nothing', 'b/closed']) {
      const error = refusal(name, 'responses');
      expect(error.code).to.equal('model_not_found');
      expect(responsesCodec.client?.encodeError(error, { requestId: 'r1' }).status).to.equal(400);
      expect(messagesCodec.client?.encodeError(error, { requestId: 'r1' }).status).to.equal(404);
    }
  });

  it('is a 400 where it is not offered on the wire', () => {
    const error = refusal('a/chat-only', 'messages');
    expect(error).to.include({ status: 400, param: 'model' });
    expect(error.message).to.include('a/chat-only').and.include('messages');
    expect(refusal('a/open', 'responses').status).to.equal(400);
  });

  it('is quoted in part where its name is very long', () => {
    expect(refusal('x'.repeat(100_000)).message.length).to.be.below(300);
  });
});
