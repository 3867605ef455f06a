import { expect } from 'chai';
import { readError, send } from '../../support/http.ts';
import { startScene, MESSAGES, type Scene } from '../../support/scene.ts';

/** What the encoder of the target's wire refuses is reported with the client's field names. */
describe('a conversation without content for the target', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene();
  });
  after(() => scene.stop());

  it('an empty conversation is refused with the client’s field name', async () => {
    const reply = await send(scene.gateway.url, {
      path: `/v1beta/models/${MESSAGES}:generateContent`,
      body: JSON.stringify({
        contents: [{ role: 'user', parts: [{ executableCode: { language: 'PYTHON', code: '1' } }] }],
      }),
    });
    expect(reply.status, reply.text).to.equal(400);
    expect(JSON.stringify(readError(reply)))
      .to.include('"field":"contents"')
      .and.not.include('"messages"');
    expect(scene.upstream.calls).to.have.length(0);
  });
});
