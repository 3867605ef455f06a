import { expect } from 'chai';
import type { Part } from '../../../core/canonical/part.ts';
import { mediaUrlsFit } from '../../../core/fits/media-urls.ts';
import { catchError, createContext, createProfile, createRequest, runFit, user } from './samples.ts';

const image: Part = { type: 'media', media: { mediaType: 'image/png', url: 'https://example.test/a.png' }, detail: 'high' };
const request = createRequest({ turns: [user('look', image, { type: 'tool-result', id: 'c1', failed: false, parts: [image] })] });
const profile = createProfile({ mediaUrls: false });

describe('media-urls fit', () => {
  it('refuses a URL with a sentence that says what to do, where the gateway may not fetch', () => {
    const error = catchError(() => runFit(mediaUrlsFit, request, profile));
    expect(error).to.include({ code: 'unsupported_parameter', param: 'messages' });
    expect(error.message).to.include('Send the bytes as base64');
  });

  it('sends the bytes instead, fetched once, in tool results too', async () => {
    const asked: string[] = [];
    const context = createContext([], async (url) => {
      asked.push(url);
      return { mediaType: 'image/png', base64: 'AAAA' };
    });
    const fitted = await mediaUrlsFit.fit(request, profile, context);
    const inline = { type: 'media', media: { mediaType: 'image/png', base64: 'AAAA' }, detail: 'high' };
    expect(asked).to.deep.equal(['https://example.test/a.png']);
    expect(fitted?.request.turns[0]?.parts[1]).to.deep.equal(inline);
    expect(fitted?.request.turns[0]?.parts[2]).to.deep.include({ parts: [inline] });
  });

  it('does not make a request without URLs wait, and leaves URLs alone where they are taken', () => {
    expect(runFit(mediaUrlsFit, createRequest(), profile).fitted).to.equal(undefined);
    expect(runFit(mediaUrlsFit, request, createProfile()).fitted).to.equal(undefined);
  });
});
