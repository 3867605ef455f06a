import { createImageLimit } from '../../canonical/images.ts';
import type { Media, MediaPart, Part } from '../../canonical/part.ts';
import type { GenerateRequest } from '../../canonical/request.ts';
import type { TargetProfile } from '../../contracts/codec-context.ts';
import { defineFit, type FitContext, type Fitted } from '../../contracts/fit.ts';
import { toGatewayError } from '../../errors/gateway-error.ts';
import { checkMediaSupport, eachMedia, placeOf } from './media.ts';
import { rewriteParts } from '../support/rewrite-parts.ts';
import { unsupportedParameter } from '../support/unsupported.ts';

type Fetch = NonNullable<FitContext['media']>;

/** The first part with each URL: named in the error if the download fails. */
const collectUrls = ({ turns }: GenerateRequest): ReadonlyMap<string, Part> => {
  const urls = new Map<string, Part>();
  eachMedia(turns, (part) => {
    if ('url' in part.media && !urls.has(part.media.url)) urls.set(part.media.url, part);
  });
  return urls;
};

const fetchOne = async (url: string, place: string, { model }: TargetProfile, fetch: Fetch): Promise<Media> => {
  try {
    return await fetch(url);
  } catch (thrown) {
    const { code, message } = toGatewayError(thrown);
    if (code !== 'unsupported_parameter' && code !== 'invalid_request') throw thrown;
    throw unsupportedParameter(
      place,
      `The model ${model} takes media as bytes, and the media at '${place}' could not be sent to it. ${message} ` +
        'Send the bytes as base64.',
      thrown,
    );
  }
};

const isImage = ({ mediaType }: Media): boolean => mediaType.startsWith('image/');

/**
 * Checks a download against the type that the client declared, the target's capabilities and the limits of a request.
 */
const checkFetched = (
  request: GenerateRequest,
  fetched: ReadonlyMap<string, Media>,
  profile: TargetProfile,
  context: FitContext,
): void => {
  const measure = createImageLimit();
  eachMedia(request.turns, (part) => {
    const media = 'url' in part.media ? fetched.get(part.media.url) : part.media;
    if (media === undefined) return;
    const place = placeOf(part, context);
    if (isImage(part.media) && !isImage(media))
      throw unsupportedParameter(place, `The media at '${place}' is not an image but ${media.mediaType}.`);
    checkMediaSupport(media, profile, () => place);
    if ('base64' in media && isImage(media)) measure(media.base64, place);
  });
};

const inlineMedia = (fetched: ReadonlyMap<string, Media>): ((part: Part) => Part) => {
  const inlineOne = (part: Part & MediaPart): Part =>
    'url' in part.media ? { ...part, media: fetched.get(part.media.url) ?? part.media } : part;
  const inline = (part: Part): Part => {
    if (part.type === 'media') return inlineOne(part);
    return part.type === 'tool-result' ? { ...part, parts: part.parts.map(inline) } : part;
  };
  return inline;
};

/**
 * For targets that do not fetch URLs: the gateway downloads the media and sends the bytes. The only asynchronous fit,
 * and only for such requests. Refuses the request where the gateway is not allowed to download.
 */
export const mediaUrlsFit = defineFit({
  name: 'media-urls',
  applies: ({ capabilities }) => capabilities.mediaUrls === false,
  fit(request, profile, context): Promise<Fitted> | undefined {
    const urls = collectUrls(request);
    const [first] = urls.values();
    if (first === undefined) return undefined;
    const { media } = context;
    if (media === undefined) {
      const place = placeOf(first, context);
      const { model, provider } = profile;
      throw unsupportedParameter(
        place,
        `The model ${model} takes media as bytes and does not fetch the URL at '${place}'. Send the bytes as ` +
          `base64; or the operator lets the gateway fetch them, by providers.${provider}.fetchMedia.enabled.`,
      );
    }
    const fetchAll = async (): Promise<Fitted> => {
      const fetched = new Map(
        await Promise.all(
          [...urls].map(
            async ([url, part]) => [url, await fetchOne(url, placeOf(part, context), profile, media)] as const,
          ),
        ),
      );
      checkFetched(request, fetched, profile, context);
      return { request: { ...request, turns: rewriteParts(request.turns, inlineMedia(fetched)) } };
    };
    return fetchAll();
  },
});
