import type { Media, Part } from '../canonical/part.ts';
import type { Turn } from '../canonical/request.ts';
import { defineFit } from '../contracts/fit.ts';
import { describeField } from './field-name.ts';
import { rewriteParts } from './rewrite-parts.ts';
import { unsupportedParameter } from './unsupported.ts';

const collectUrls = (turns: readonly Turn[]): ReadonlySet<string> => {
  const urls = new Set<string>();
  const collect = (part: Part): void => {
    if (part.type === 'media' && 'url' in part.media) urls.add(part.media.url);
    else if (part.type === 'tool-result') part.parts.forEach(collect);
  };
  for (const turn of turns) turn.parts.forEach(collect);
  return urls;
};

const inlineMedia = (fetched: ReadonlyMap<string, Media>) => {
  const inline = (part: Part): Part => {
    if (part.type === 'tool-result') return { ...part, parts: part.parts.map(inline) };
    if (part.type !== 'media' || !('url' in part.media)) return part;
    return { ...part, media: fetched.get(part.media.url) ?? part.media };
  };
  return inline;
};

/**
 * A target that does not fetch URLs itself is sent the bytes, fetched by the gateway. The only fit that waits, and only for such requests.
 * Where the gateway may not fetch, the request is refused.
 */
export const mediaUrlsFit = defineFit({
  name: 'media-urls',
  applies: ({ capabilities }) => capabilities.mediaUrls === false,
  fit(request, { model }, { media }) {
    const urls = collectUrls(request.turns);
    if (urls.size === 0) return undefined;
    if (media === undefined) {
      throw unsupportedParameter(describeField(request.wire, 'conversation'), `The model ${model} does not fetch media from URLs. Send the bytes as base64.`);
    }
    const fetchAll = async () => {
      const fetched = new Map(await Promise.all([...urls].map(async (url) => [url, await media(url)] as const)));
      return { request: { ...request, turns: rewriteParts(request.turns, inlineMedia(fetched)) } };
    };
    return fetchAll();
  },
});
