import { expect } from 'chai';
import { messagesCodec } from '../../../../../../providers/anthropic/messages/index.ts';

const decode = (members: object) => {
  const body = { model: 'm', max_tokens: 5, messages: [{ role: 'user', content: 'x' }], ...members };
  return messagesCodec.client?.decodeRequest({
    raw: Buffer.from(JSON.stringify(body)),
    body,
    headers: { 'anthropic-version': '2023-06-01' },
    query: {},
  });
};

describe('messages client: members with special names or positions', () => {
  it('never uses a member of the body as the header of the same name', () => {
    expect(decode({ 'anthropic-beta': 'a\r\nx-api-key: evil', other: 1 })?.request.extra.members).to.deep.equal({
      other: 1,
    });
  });

  it('counts an image inside a document against the image limits', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(8_000_000) } };
    const content = [{ type: 'document', source: { type: 'content', content: [image] } }];
    expect(() => decode({ messages: [{ role: 'user', content }] })).to.throw('at most 5 MB');
  });
});
