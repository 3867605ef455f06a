import { expect } from 'chai';
import { sealProof } from '../../../core/api/codec.ts';
import { send } from '../../support/http.ts';
import { answerJson } from '../../support/upstream.ts';
import { startScene, type Scene } from '../../support/scene.ts';

/** Two that change one member: the wire's plan opens what was sealed, and the provider then sees the opened one. */
describe('edits of a native request', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene({
      models: { 'google/three': { targets: [{ provider: 'google', model: 'gemini-3-pro-preview' }] } },
    });
    scene.upstream.answer = (response) =>
      answerJson(response, {
        candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'x' }] }, finishReason: 'STOP' }],
      });
  });
  after(() => scene.stop());

  it('provider edits apply after wire edits: an opened signature stays open beside a placeholder', async () => {
    const signature = sealProof({ origin: { provider: 'google', family: 'google' }, value: 'SIGNED' });
    const call = (name: string, more: object = {}) => ({
      role: 'model',
      parts: [{ functionCall: { id: name, name, args: {} }, ...more }],
    });
    const result = (name: string) => ({
      role: 'user',
      parts: [{ functionResponse: { id: name, name, response: { output: 'x' } } }],
    });
    const contents = [
      { role: 'user', parts: [{ text: 'Hi' }] },
      call('a', { thoughtSignature: signature }),
      result('a'),
      call('b'),
      result('b'),
    ];
    const reply = await send(scene.gateway.url, {
      path: '/v1beta/models/google/three:generateContent',
      body: JSON.stringify({ contents }),
    });
    expect(reply.status, reply.text).to.equal(200);
    expect(reply.headers['x-koine-lane']).to.equal('native');
    const sent = JSON.stringify(scene.upstream.calls[0]?.body);
    expect(sent).to.include('"thoughtSignature":"SIGNED"').and.to.include('skip_thought_signature_validator');
    expect(sent).to.not.include(signature);
  });
});
