import { expect } from 'chai';
import { KEY } from '../../support/gateway.ts';
import { answerJson } from '../../support/upstream.ts';
import { until } from '../../support/until.ts';
import {
  ANSWER,
  ANSWER_MICRO,
  COMPLETED,
  PNG,
  pngFile,
  startImageForms,
  type Field,
  type ImageForms,
} from './image-form-scene.ts';

const MB = 1_048_576;
const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(20, 7)]);
const gemini = {
  candidates: [{ content: { parts: [{ inlineData: { mimeType: 'image/png', data: 'AA==' } }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 4, candidatesTokenCount: 1_120, totalTokenCount: 1_124 },
};
const frame = (type: string, members: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;

describe('forms of images', () => {
  let scene: ImageForms;
  before(async () => {
    scene = await startImageForms();
  });
  beforeEach(() => {
    scene.vendor.received.length = 0;
    scene.google.calls.length = 0;
    scene.google.answer = (response) => answerJson(response, gemini);
    Object.assign(scene.vendor.state, { status: 200, type: 'application/json', body: ANSWER });
  });
  after(() => scene.stop());
  const edit = (model: string, ...fields: readonly Field[]) =>
    scene.post([['image', PNG], ['model', model], ['prompt', 'Green'], ...fields]);

  const textsOf = (form: FormData | undefined) =>
    [...(form?.entries() ?? [])].filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const filesOf = async (form: FormData | undefined) =>
    Promise.all(
      [...(form?.entries() ?? [])].flatMap(([name, value]) =>
        typeof value === 'string'
          ? []
          : [value.arrayBuffer().then((bytes) => [name, value.name, value.type, Buffer.from(bytes).toString('hex')])],
      ),
    );

  it('with several images and a mask of the SDK reach OpenAI as they were sent, and cost what the answer says', async () => {
    const answer = await scene.openai.images.edit({
      model: 'openai/image',
      prompt: 'Grüße 😀',
      image: [await pngFile(PNG, 'one.png'), await pngFile(JPEG, 'two.jpg')],
      mask: await pngFile(PNG, 'mask.png'),
      n: 1,
      size: '1024x1024',
    });
    expect(answer).to.deep.include({ created: 7, data: [{ b64_json: 'iVBORw0KGgo=' }] });
    const [call] = scene.vendor.received;
    expect(call?.path).to.equal('/v1/images/edits');
    expect(textsOf(call?.form)).to.have.deep.members([
      ['model', 'gpt-image-2'],
      ['prompt', 'Grüße 😀'],
      ['n', '1'],
      ['size', '1024x1024'],
    ]);
    expect(await filesOf(call?.form)).to.have.deep.members([
      ['image[]', 'one.png', 'image/png', PNG.toString('hex')],
      ['image[]', 'two.jpg', 'image/jpeg', JPEG.toString('hex')],
      ['mask', 'mask.png', 'image/png', PNG.toString('hex')],
    ]);
    expect(await scene.lastExchange()).to.deep.include({
      operation: 'image',
      wire_in: 'image-edits',
      cost_micro: ANSWER_MICRO,
    });
  });

  it('come back byte for byte from OpenAI, Azure and compatible servers, with fields that the gateway does not know', async () => {
    for (const [model, path] of [
      ['openai/image', '/v1/images/edits'],
      ['azure/image', '/openai/v1/images/edits'],
      ['local/sd', '/v1/images/edits'],
    ] as const) {
      const reply = await edit(model, ['background', 'transparent'], ['house_field', '7']);
      expect([reply.status, await reply.text()], model).to.deep.equal([200, ANSWER]);
      expect(reply.headers.get('x-koine-lane')).to.equal('native');
      const call = scene.vendor.received.at(-1);
      expect(call?.path).to.equal(path);
      expect(textsOf(call?.form)).to.deep.include(['house_field', '7']).and.deep.include(['background', 'transparent']);
    }
  });

  it('are streamed to the SDK, partial images included', async () => {
    const frames =
      frame('image_edit.partial_image', { b64_json: 'AA==', partial_image_index: 0 }) +
      frame('image_edit.completed', COMPLETED);
    Object.assign(scene.vendor.state, { type: 'text/event-stream', body: frames });
    const events: string[] = [];
    const stream = await scene.openai.images.edit({
      model: 'openai/image',
      prompt: 'Green',
      image: await pngFile(PNG, 'one.png'),
      stream: true,
      partial_images: 1,
    });
    for await (const event of stream) events.push(event.type);
    expect(events).to.deep.equal(['image_edit.partial_image', 'image_edit.completed']);
    expect(textsOf(scene.vendor.received[0]?.form)).to.deep.include(['stream', 'true']);
    expect(await scene.lastExchange()).to.deep.include({ cost_micro: ANSWER_MICRO });
  });

  it('are variations without a prompt, also without a model, and are refused by name where there are none', async () => {
    const { data } = await scene.openai.images.createVariation({ image: await pngFile(PNG, 'one.png'), n: 2 });
    expect(data).to.have.lengthOf(1);
    const [call] = scene.vendor.received;
    expect(call?.path).to.equal('/v1/images/variations');
    expect(textsOf(call?.form)).to.have.deep.members([['n', '2']].concat([['model', 'sd']]));
    // The operation has no streams: the member means nothing.
    const fields = [
      ['image', PNG],
      ['stream', 'true'],
    ] as const;
    expect((await scene.post(fields, '/v1/images/variations')).status).to.equal(200);
    for (const model of ['google/image', 'plain/sd']) {
      const reply = await scene.post(
        [
          ['image', PNG],
          ['model', model],
        ],
        '/v1/images/variations',
      );
      expect([model, reply.status]).to.deep.equal([model, 400]);
      expect(await reply.text()).to.match(/no variations/);
    }
  });

  it('are edited by Gemini, which gets the bytes inline; the mask is a named loss', async () => {
    const reply = await edit('google/image', ['mask', PNG]);
    expect(reply.status).to.equal(200);
    expect(reply.headers.get('x-koine-losses')).to.include('mask');
    expect(await reply.json()).to.deep.include({ data: [{ b64_json: 'AA==' }] });
    expect(scene.google.calls[0]?.headers['content-type']).to.equal('application/json');
    expect(scene.google.calls[0]?.body).to.have.deep.nested.property('contents[0].parts', [
      { text: 'Green' },
      { inlineData: { mimeType: 'image/png', data: PNG.toString('base64') } },
    ]);
    const fields = [
      ['image', PNG],
      ['mask', PNG],
      ['model', 'google/image'],
      ['prompt', 'x'],
    ] as const;
    const refused = await scene.post(fields, '/v1/images/edits', `${KEY}-strict`);
    expect([refused.status, (await refused.text()).includes('mask')]).to.deep.equal([400, true]);
  });

  it('go whole to the next target, from a form to inline bytes', async () => {
    const reply = await edit('two/image');
    expect(reply.status).to.equal(200);
    expect(scene.vendor.received.length, 'the first target was tried').to.be.above(0);
    expect(scene.google.calls).to.have.lengthOf(1);
  });

  it('that find no memory for inline bytes go to a target that takes forms', async () => {
    const { vendor, google } = scene;
    google.answer = async (response) => {
      await until('one form has come to the other target', () => vendor.received.length > 0);
      answerJson(response, gemini);
    };
    const large = Buffer.concat([PNG, Buffer.alloc(5 * MB - PNG.length)]);
    const fields: readonly Field[] = [
      ['image[]', large],
      ['image[]', large],
      ['model', 'both/image'],
      ['prompt', 'x'],
    ];
    const replies = await Promise.all(Array.from({ length: 3 }, () => scene.post(fields)));
    expect(replies.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    // How many find room depends on the order in which their files are read.
    expect([vendor.received.length, google.calls.length].toSorted()).to.deep.equal([1, 2]);
  });

  it('are answered by the simulator, plain and streamed', async () => {
    const { data } = await scene.openai.images.edit({
      model: 'simulator/chat',
      prompt: 'x',
      image: await pngFile(PNG, 'a.png'),
      n: 2,
    });
    expect(data).to.have.lengthOf(2);
    const reply = await edit('simulator/chat', ['stream', 'true']);
    expect(await reply.text()).to.match(/^event: image_edit\.partial_image\n[\s\S]*event: image_edit\.completed\n/);
  });
});
