import { expect } from 'chai';
import type { Media, Part } from '../../../../core/canonical/part.ts';
import type { Capabilities } from '../../../../core/contracts/capabilities.ts';
import { mediaFit } from '../../../../core/fits/media/media.ts';
import { catchError, createProfile, createRequest, runFit, user } from '../samples.ts';

const medium = (media: Media): Part => ({ type: 'media', media });
const bytes = (mediaType: string): Part => medium({ mediaType, base64: 'AAAA' });
const withPart = (part: Part) => createRequest({ turns: [user('look', part)] });

describe('media fit', () => {
  const cases: readonly (readonly [string, Capabilities, string])[] = [
    ['image/png', { vision: false }, 'does not support images'],
    ['application/pdf', { documents: false }, 'does not support documents'],
    ['audio/wav', { audio: false }, 'does not support audio'],
    ['video/mp4', { video: false }, 'does not support video'],
  ];
  for (const [mediaType, capabilities, sentence] of cases) {
    it(`refuses ${mediaType} if the model ${sentence}, and accepts it if that is unknown`, () => {
      const error = catchError(() => runFit(mediaFit, withPart(bytes(mediaType)), createProfile(capabilities)));
      expect(error).to.include({ code: 'unsupported_parameter', status: 400, param: 'messages' });
      expect(error.message).to.include(`The model model-1 ${sentence}`);
      expect(runFit(mediaFit, withPart(bytes(mediaType)), createProfile()).fitted).to.equal(undefined);
    });
  }

  it('checks the media in tool results', () => {
    const request = withPart({ type: 'tool-result', id: 'c1', failed: false, parts: [bytes('image/png')] });
    expect(catchError(() => runFit(mediaFit, request, createProfile({ vision: false }))).message).to.include('images');
  });

  it('refuses a file id on another wire and accepts it on its own', () => {
    const request = withPart(medium({ mediaType: 'image/png', fileId: 'file-1' }));
    expect(catchError(() => runFit(mediaFit, request, createProfile())).message).to.include('uploaded elsewhere');
    expect(runFit(mediaFit, request, createProfile({}, { wire: 'chat-completions' })).fitted).to.equal(undefined);
  });
});
