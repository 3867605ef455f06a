import { expect } from 'chai';
import type { Codec, WriteFrame } from '../../../../core/api/codec.ts';
import { plainLaws, type PlainOperation } from '../../../../core/testing/index.ts';
import { imagesCodec } from '../../../../providers/openai/images/index.ts';
import { speechCodec } from '../../../../providers/openai/speech/index.ts';
import { transcriptionsCodec } from '../../../../providers/openai/transcriptions/index.ts';

type Write<O extends PlainOperation> = NonNullable<NonNullable<Codec<O>['client']>['encodeAsStream']>;

/** The laws of streams that the codec breaks, by what they say of it. */
const brokenLaws = async <O extends PlainOperation>(codec: Codec<O>): Promise<string> => {
  const laws = plainLaws(codec, [], { samples: [] }).filter(({ name }) => name.includes('as a stream'));
  expect(laws, 'the codec has laws of streams').to.not.have.lengthOf(0);
  const broken: string[] = [];
  for (const { name, run } of laws)
    try {
      await run();
    } catch (thrown) {
      broken.push(`${name}: ${String(thrown)}`);
    }
  return broken.join('\n');
};

const withWrite = <O extends PlainOperation>(codec: Codec<O>, encodeAsStream: Write<O>): Codec<O> => {
  if (codec.client === undefined) throw new Error('the codec under test has a client side');
  return { ...codec, client: { ...codec.client, encodeAsStream } };
};

/** A codec with its own frames, changed: undefined drops one. */
const withFrames = <O extends PlainOperation>(
  codec: Codec<O>,
  change: (data: string, index: number) => string | undefined,
): Codec<O> =>
  withWrite(codec, (response, context, write) => {
    let index = 0;
    codec.client?.encodeAsStream?.(response, context, (event, data) => {
      const changed = change(data, index++);
      if (changed !== undefined) write(event, changed);
    });
  });

const codecs = [transcriptionsCodec, speechCodec, imagesCodec] as readonly Codec<PlainOperation>[];

describe('the laws of whole responses as streams', () => {
  for (const codec of codecs) {
    it(`hold for ${codec.wire}`, async () => expect(await brokenLaws(codec)).to.equal(''));

    it(`find in ${codec.wire} a stream without frames, without its end, and with frames after it`, async () => {
      expect(await brokenLaws(withWrite(codec, () => {}))).to.include('no frame is written');
      const cut = withFrames(codec, (data) => (/\.(?:done|completed)"|DONE/.test(data) ? undefined : data));
      expect(await brokenLaws(cut)).to.match(/cut|no frame/);
      const double = withWrite(codec, (response, context, write) => {
        for (let time = 0; time < 2; time += 1) codec.client?.encodeAsStream?.(response, context, write);
      });
      expect(await brokenLaws(double)).to.not.equal('');
    });

    it(`find in ${codec.wire} frames without data, and an error in place of content`, async () => {
      expect(await brokenLaws(withFrames(codec, () => ''))).to.include('no data');
      const failed = '{"error":{"message":"no","type":"server_error"}}';
      expect(await brokenLaws(withFrames(codec, () => failed))).to.match(/an error|no content/);
    });

    it(`find in ${codec.wire} usage that is missing or wrong`, async () => {
      const without = withFrames(codec, (data) => data.replace(/,"usage":\{.*\}(?=\}$)/, ''));
      expect(await brokenLaws(without)).to.include('not that of the response');
      const wrong = withFrames(codec, (data) => data.replace(/"output_tokens":\d+/, '"output_tokens":7'));
      expect(await brokenLaws(wrong)).to.include('not that of the response');
    });
  }

  it('find a text, a file and an image that are not whole', async () => {
    const text = withFrames(transcriptionsCodec, (data) => data.replaceAll('Hello.', 'Hell'));
    expect(await brokenLaws(text)).to.include('text (Hello.) is neither in the frames nor a loss');
    const file = withFrames(speechCodec, (data, index) => (index === 1 ? undefined : data));
    expect(await brokenLaws(file)).to.include('the file');
    const image = withFrames(imagesCodec, (data) => data.replaceAll('/9j/', '/8j/'));
    expect(await brokenLaws(image)).to.include('b64_json');
  });

  it('find what is left out without a name, and an address where the bytes are missing', async () => {
    const silent = withWrite(imagesCodec, (response, context, write) =>
      imagesCodec.client?.encodeAsStream?.(response, { ...context, lose: () => {} }, write),
    );
    expect(await brokenLaws(silent)).to.include('revised_prompt (A small cat) is neither in the frames nor a loss');
    const withAddress = withWrite(imagesCodec, (response, context, write: WriteFrame) => {
      if (response.images.every(({ media }) => 'base64' in media))
        imagesCodec.client?.encodeAsStream?.(response, context, write);
      else write('image_generation.completed', '{"type":"image_generation.completed"}');
    });
    expect(await brokenLaws(withAddress)).to.include('url');
  });

  it('are none for a codec that does not write streams', () => {
    const { encodeAsStream: _encodeAsStream, ...client } = imagesCodec.client ?? {};
    const codec = { ...imagesCodec, client } as Codec<'image'>;
    expect(plainLaws(codec, [], { samples: [] }).filter(({ name }) => name.includes('as a stream'))).to.deep.equal([]);
  });
});
