import { expect } from 'chai';
import type { GenerateRequest, Tool } from '../../../core/api/index.ts';
import { createChoice } from '../../../providers/openai/choose-wire.ts';

const tools: readonly Tool[] = [{ name: 'f', kind: 'function' }];
const hosted: readonly Tool[] = [{ name: 'search', kind: 'hosted', vendor: { type: 'search' } }];
const request = (members: Partial<GenerateRequest> = {}): GenerateRequest => ({
  wire: 'chat-completions',
  turns: [],
  tools: [],
  choices: 1,
  stream: false,
  includeUsage: false,
  extra: { wire: 'chat-completions', members: {} },
  ...members,
});
const choose = (model: string, members: Partial<GenerateRequest> = {}, clientWire = 'chat-completions') =>
  createChoice(model)(request(members), clientWire);

describe('OpenAI: choice of the wire', () => {
  it('keeps responses for clients of responses', () => {
    for (const model of ['gpt-4.1', 'gpt-5.6', 'gpt-5-codex', 'some-model'])
      expect(choose(model, {}, 'responses'), model).to.equal('responses');
  });

  it('chooses chat-completions for all other clients by default', () => {
    for (const clientWire of ['chat-completions', 'messages', 'generate-content']) {
      for (const model of ['gpt-4.1', 'gpt-5', 'gpt-5.1', 'some-model'])
        expect(choose(model, { tools, reasoning: { effort: 'high' } }, clientWire), `${clientWire} ${model}`).to.equal(
          'chat-completions',
        );
      expect(choose('gpt-5.6', {}, clientWire)).to.equal('chat-completions');
    }
  });

  it('chooses responses for models that have no other wire', () => {
    for (const model of ['gpt-5-codex', 'o3-pro']) expect(choose(model), model).to.equal('responses');
  });

  it('E44: chooses responses for tools of models that refuse them while they reason', () => {
    for (const clientWire of ['chat-completions', 'messages', 'generate-content']) {
      for (const model of ['gpt-5.6', 'gpt-5.6-sol', 'gpt-6', 'gpt-6.1-terra'])
        expect(choose(model, { tools }, clientWire), model).to.equal('responses');
      for (const model of ['gpt-5.4', 'gpt-5.5-2026-04-23']) {
        expect(choose(model, { tools }, clientWire), model).to.equal('chat-completions');
        expect(choose(model, { tools, reasoning: { effort: 'low' } }, clientWire), model).to.equal('responses');
        expect(choose(model, { tools, reasoning: { budget: 2_000 } }, clientWire), model).to.equal('responses');
      }
    }
  });

  it('keeps chat-completions when reasoning is off or all tools are hosted', () => {
    for (const model of ['gpt-5.5', 'gpt-5.6']) {
      expect(choose(model, { tools, reasoning: { effort: 'none' } }), model).to.equal('chat-completions');
      expect(choose(model, { tools, reasoning: { budget: 0, effort: 'high' } }), model).to.equal('chat-completions');
      expect(choose(model, { tools: hosted, reasoning: { effort: 'high' } }), model).to.equal('chat-completions');
    }
  });

  it('chooses responses for clients of other wires that want to see reasoning', () => {
    const reasoning = { effort: 'high', show: true };
    expect(choose('gpt-5', { reasoning }, 'messages')).to.equal('responses');
    expect(choose('o3', { reasoning: { show: true } }, 'generate-content')).to.equal('responses');
    expect(choose('gpt-5', { reasoning }, 'chat-completions')).to.equal('chat-completions');
    expect(choose('gpt-4.1', { reasoning }, 'messages')).to.equal('chat-completions');
    expect(choose('gpt-5.1', { reasoning: { effort: 'none', show: true } }, 'messages')).to.equal('chat-completions');
  });
});
