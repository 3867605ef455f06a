import { expect } from 'chai';
import { BadRequestError } from 'openai';
import { KEY } from '../../support/gateway.ts';
import { ANSWER, PNG, pngFile, startImageForms, type Field, type ImageForms } from './image-form-scene.ts';

const MB = 1_048_576;

describe('forms of images that are refused', () => {
  let scene: ImageForms;
  before(async () => {
    scene = await startImageForms();
  });
  beforeEach(() => {
    scene.vendor.received.length = 0;
    Object.assign(scene.vendor.state, { status: 200, type: 'application/json', body: ANSWER });
  });
  after(() => scene.stop());

  it('name a target that edits none', async () => {
    const reply = await scene.post([
      ['image', PNG],
      ['model', 'plain/sd'],
      ['prompt', 'x'],
    ]);
    expect([reply.status, (await reply.text()).includes('edits none')]).to.deep.equal([400, true]);
    expect(scene.vendor.received).to.have.lengthOf(0);
  });

  it('have images by their first bytes, of 5 MB each and 12 MB together', async () => {
    const sized = (bytes: number) => Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length)]);
    const cases: readonly (readonly [string, Buffer, number, RegExp])[] = [
      ['image', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 400, /not an image by its first bytes/],
      ['mask', Buffer.from('%PDF-1.7 and more'), 400, /'mask' is not an image/],
      ['image[]', sized(5 * MB + 1), 400, /'image\[\]' is larger than 5242880 bytes/],
      ['image[]', sized(5 * MB), 200, /created/],
    ];
    for (const [name, bytes, status, text] of cases) {
      const reply = await scene.post([
        ['model', 'openai/image'],
        ['prompt', 'x'],
        ['image[]', PNG],
        [name, bytes],
      ]);
      expect([name, reply.status]).to.deep.equal([name, status]);
      expect(await reply.text()).to.match(text);
    }
    const together = [sized(5 * MB), sized(5 * MB), sized(3 * MB)].map((bytes) => ['image[]', bytes] as const);
    const reply = await scene.post([['model', 'openai/image'], ['prompt', 'x'], ...together]);
    expect([reply.status, (await reply.text()).includes('12 MB')]).to.deep.equal([400, true]);
  });

  it('are refused with the name of the field', async () => {
    const image = ['image', PNG] as const;
    const given = [image, ['model', 'openai/image'], ['prompt', 'x']] as const;
    const cases: readonly (readonly [string, readonly Field[]])[] = [
      ['image', given.slice(1)],
      ['prompt', given.slice(0, 2)],
      ['prompt', [...given.slice(0, 2), ['prompt', '']]],
      ['n', [...given, ['n', '0']]],
      ['n', [...given, ['n', '2.0']]],
      ['n', [...given, ['n', '1e1']]],
      ['stream', [...given, ['stream', 'perhaps']]],
      ['images[0][file_id]', [...given, ['images[0][file_id]', 'file-1']]],
      ['image[0]', [...given, ['image[0]', 'file-1']]],
    ];
    for (const [param, fields] of cases) {
      const reply = await scene.post(fields);
      expect([param, reply.status]).to.deep.equal([param, 400]);
      expect(await reply.json()).to.have.nested.property('error.param', param);
    }
    expect(scene.vendor.received).to.have.lengthOf(0);
    const error = await scene.openai.images
      .edit({ model: 'openai/image', prompt: 'x', image: await pngFile(Buffer.from('text'), 'a.png') })
      .catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(BadRequestError);
  });

  it('reserve n images, as generations do', async () => {
    const ask = (n: string) =>
      scene.post(
        [
          ['image', PNG],
          ['model', 'local/sd'],
          ['prompt', 'x'],
          ['n', n],
        ],
        '/v1/images/edits',
        `${KEY}-few`,
      );
    expect((await ask('4')).status).to.equal(400);
    expect((await ask('2')).status).to.equal(200);
    expect((await ask('3')).status).to.equal(429);
    expect(scene.vendor.received).to.have.lengthOf(1);
  });
});
