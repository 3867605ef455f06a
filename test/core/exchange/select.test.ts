import { expect } from 'chai';
import { createCatalog } from '../../../core/catalog/catalog.ts';
import { selectModel } from '../../../core/exchange/select.ts';
import type { Caller } from '../../../core/api/index.ts';
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
  it('finds the model by its id and by an alias', () => {
    expect(selectModel(catalog, 'a/open', caller, 'messages').id).to.equal('a/open');
    expect(selectModel(catalog, 'fast', caller, 'messages').id).to.equal('a/open');
  });

  it('allows any model to a caller without an allow-list', () => {
    expect(selectModel(catalog, 'b/closed', { ...caller, models: [] }, 'messages').id).to.equal('b/closed');
  });

  it('fails in the same way for an unknown model and for one that the key may not use', () => {
    const describeError = (name: string) => {
      const { code, status, message, param } = refusal(name);
      return { code, status, param, message: message.replace(name, '…') };
    };
    expect(describeError('b/closed')).to.deep.equal(describeError('b/nothing'));
    expect(describeError('b/closed')).to.include({ code: 'model_not_found', status: 404, param: 'model' });
  });

  it('checks the allow-list after aliases, so that neither an alias nor its name gives access to a forbidden model', () => {
    expect(refusal('slow').status).to.equal(404);
    expect(refusal('a/looks-open').status).to.equal(404);
    expect(refusal('slow').message).to.not.include('b/closed');
  });

  it('responds 400 on the responses wire to an unknown or forbidden model', () => {
    for (const name of ['b/nothing', 'b/closed']) {
      const error = refusal(name, 'responses');
      expect(error.code).to.equal('model_not_found');
      expect(responsesCodec.client?.encodeError(error, { requestId: 'r1' }).status).to.equal(400);
      expect(messagesCodec.client?.encodeError(error, { requestId: 'r1' }).status).to.equal(404);
    }
  });

  it('responds 400 to a model that is not offered on the wire', () => {
    const error = refusal('a/chat-only', 'messages');
    expect(error).to.include({ status: 400, param: 'model' });
    expect(error.message).to.include('a/chat-only').and.include('messages');
    expect(refusal('a/open', 'responses').status).to.equal(400);
  });

  it('cuts a very long model name in the message', () => {
    expect(refusal('x'.repeat(100_000)).message.length).to.be.below(300);
  });
});
