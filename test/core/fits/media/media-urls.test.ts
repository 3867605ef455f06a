import { expect } from 'chai';
import type { Media, Part } from '../../../../core/canonical/part.ts';
import type { GenerateRequest } from '../../../../core/canonical/request.ts';
import { GatewayError } from '../../../../core/errors/gateway-error.ts';
import type { FitContext } from '../../../../core/contracts/fit.ts';
import { mediaUrlsFit } from '../../../../core/fits/media/media-urls.ts';
import { catchError, createContext, createProfile, createRequest, runFit, user } from '../samples.ts';

const image: Part = {
  type: 'media',
  media: { mediaType: 'image/*', url: 'https://example.test/a.png' },
  detail: 'high',
};
const request = createRequest({
  turns: [user('look', image, { type: 'tool-result', id: 'c1', failed: false, parts: [image] })],
});
const profile = createProfile({ mediaUrls: false });
const png: Media = { mediaType: 'image/png', base64: 'AAAA' };

const lending = (media: NonNullable<FitContext['media']>): FitContext => ({
  ...createContext([], media),
  place: (part) => (part === image ? 'messages[0].content[1]' : undefined),
});
const failing = async (
  asked: GenerateRequest,
  media: NonNullable<FitContext['media']>,
  target = profile,
): Promise<GatewayError> => {
  const thrown: unknown = await Promise.resolve(mediaUrlsFit.fit(asked, target, lending(media))).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (GatewayError.is(thrown)) return thrown;
  throw new Error(`no GatewayError: ${String(thrown)}`);
};

describe('media-urls fit', () => {
  it('refuses a media URL with a message that names the setting, if the gateway is not allowed to fetch', () => {
    const error = catchError(() => runFit(mediaUrlsFit, request, profile));
    expect(error).to.include({ code: 'unsupported_parameter', status: 400, param: 'messages' });
    expect(error.message).to.include('Send the bytes as base64').and.include('providers.there.fetchMedia.enabled');
  });

  it('sends the bytes of a media URL instead, fetched once, including those in tool results', async () => {
    const asked: string[] = [];
    const fitted = await mediaUrlsFit.fit(
      request,
      profile,
      lending(async (url) => {
        asked.push(url);
        return png;
      }),
    );
    const inline = { type: 'media', media: png, detail: 'high' };
    expect(asked).to.deep.equal(['https://example.test/a.png']);
    expect(fitted?.request.turns[0]?.parts[1]).to.deep.equal(inline);
    expect(fitted?.request.turns[0]?.parts[2]).to.deep.include({ parts: [inline] });
  });

  it('reports the path of a failed download, and the reason', async () => {
    const error = await failing(request, () =>
      Promise.reject(new GatewayError('unsupported_parameter', 'It is larger than 5 MB.')),
    );
    expect(error).to.include({ code: 'unsupported_parameter', status: 400, param: 'messages[0].content[1]' });
    expect(error.message).to.include('messages[0].content[1]').and.include('It is larger than 5 MB.');
  });

  it('passes on errors that are not about the media: a client that disconnects, an error of the gateway', async () => {
    expect((await failing(request, () => Promise.reject(new GatewayError('client_closed')))).code).to.equal(
      'client_closed',
    );
  });

  it('refuses media of another type than declared, and of a type that the target does not support', async () => {
    expect((await failing(request, async () => ({ mediaType: 'application/pdf', base64: 'AAAA' }))).message).to.include(
      'not an image but application/pdf',
    );
    const vague = createRequest({
      turns: [user({ type: 'media', media: { mediaType: 'application/octet-stream', url: 'https://example.test/a' } })],
    });
    expect(
      (await failing(vague, async () => png, createProfile({ mediaUrls: false, vision: false }))).message,
    ).to.include('does not support images');
  });

  it('counts downloads together with the media that the client sent', async () => {
    const large = 'A'.repeat(6_400_000);
    const own: Part = { type: 'media', media: { mediaType: 'image/png', base64: large } };
    const error = await failing(createRequest({ turns: [user(own, own, image)] }), async () => ({
      mediaType: 'image/png',
      base64: large,
    }));
    expect(error).to.include({ code: 'invalid_request', param: 'messages[0].content[1]' });
    expect(error.message).to.include('12 MB');
  });

  it('media-urls is synchronous without URLs, and keeps URLs that the target accepts', () => {
    expect(runFit(mediaUrlsFit, createRequest(), profile).fitted).to.equal(undefined);
    expect(runFit(mediaUrlsFit, request, createProfile()).fitted).to.equal(undefined);
  });
});
