import { expect } from 'chai';
import { choicesFit } from '../../../core/fits/choices.ts';
import { catchError, createProfile, createRequest, runFit } from './samples.ts';

describe('choices fit', () => {
  const single = createProfile({ choices: false });

  it('refuses several answers where the model gives one, by the name the client used', () => {
    const error = catchError(() => runFit(choicesFit, createRequest({ choices: 2 }), single));
    expect(error).to.include({ code: 'unsupported_parameter', param: 'n', failure: 'unsuitable' });
    expect(catchError(() => runFit(choicesFit, createRequest({ choices: 2, wire: 'generate-content' }), single)).param).to.equal('generationConfig.candidateCount');
  });

  it('lets one answer pass, and several where the model gives them', () => {
    expect(runFit(choicesFit, createRequest(), single).fitted).to.equal(undefined);
    expect(runFit(choicesFit, createRequest({ choices: 2 }), createProfile()).fitted).to.equal(undefined);
  });
});
