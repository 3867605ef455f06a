import { GatewayError, type Draft, type Rewrite, type Services } from '../../core/api/index.ts';
import { defineTextMembers } from '../../core/api/codec.ts';
import {
  canonicalTextMembers,
  layoutOf,
  replaceSpans,
  TextList,
  type ListedText,
  type Unreadable,
} from '../../core/api/internal.ts';
import { searchAll, type RuleRecords } from './apply-rules.ts';
import type { Rule } from './rules.ts';
import type { Budget, Steps } from './steps.ts';

const sharedMembers = defineTextMembers({});

const unreadableNames: Readonly<Record<Unreadable, string>> = {
  media: 'an image, a document or other bytes',
  references: 'something that is stored elsewhere',
  encrypted: 'encrypted content',
};

export const overBudget = ({ name }: Rule, what: string): string =>
  `The content filter of this gateway cannot search this ${what}: it is too long for its rule "${name}".`;

const refusal = (rule: Rule, message: string, path: string): GatewayError =>
  new GatewayError('content_filter', rule.message ?? message, path === '' ? {} : { param: path });

/**
 * Every text of a request: of the body that the client sent, because the native lane sends it on, members that the
 * gateway does not know included. Where an earlier plugin has changed the turns, of the canonical request.
 */
export class RequestTexts {
  readonly #draft: Draft;
  readonly #value: unknown;
  readonly #list: TextList<unknown>;

  /** @throws GatewayError 400 if the bytes hold a member that the parsed body does not have */
  constructor(draft: Draft, findCodec: Services['codec']) {
    const { isRewritten, inbound, operation, route, request } = draft;
    this.#draft = draft;
    this.#value = isRewritten === true ? request : inbound.body;
    const members = findCodec(operation, route.wire)?.client?.textMembers ?? sharedMembers;
    this.#list = new TextList(this.#value, isRewritten === true ? canonicalTextMembers : members);
    if (isRewritten === true) return;
    const { containers, scalars } = layoutOf(inbound.raw).counts;
    if (containers + scalars === this.#list.values) return;
    throw new GatewayError(
      'invalid_request',
      'An object of the body has a member more than once, and the content filter reads one of them. Send only one.',
    );
  }

  /** The strings that a service gets. */
  get strings(): readonly ListedText[] {
    return this.#list.texts.filter(({ kind, text }) => (kind === 'text' || kind === 'signed') && text !== '');
  }

  /**
   * Applies the rules in their order; each gets the texts that the ones before have changed.
   * @throws GatewayError `content_filter` if a rule refuses the request, `request_too_large` if it cannot be searched
   */
  *apply(rules: readonly Rule[], budget: Budget, records: RuleRecords): Steps<void> {
    for (const rule of rules) {
      this.#checkUnreadable(rule, records);
      for (const group of this.#list.groups) yield* this.#applyTo(group, rule, budget, records);
    }
    budget.report();
  }

  /** @throws GatewayError `content_filter` if the text is signed */
  change(listed: ListedText, text: string): void {
    if (listed.text === text) return;
    if (listed.kind === 'signed') {
      const path = this.#list.pathOf(listed);
      const found = `'${path}' has what the content filter of this gateway redacts`;
      throw new GatewayError('content_filter', `${found}, but its vendor signed it. Leave it out.`, { param: path });
    }
    listed.text = text;
  }

  /** @returns undefined if no text has changed */
  write(): Rewrite | undefined {
    const changed = this.#list.write();
    if (changed === this.#value) return undefined;
    // The walk keeps the shape of what it was given.
    return this.#draft.isRewritten === true
      ? { request: changed as Draft['request'] }
      : { body: changed as NonNullable<Rewrite['body']> };
  }

  #checkUnreadable(rule: Rule, records: RuleRecords): void {
    const found = this.#list.unreadable.find(({ kind }) => rule.refuseUnreadable.includes(kind));
    if (found === undefined) return;
    records.found(rule, 1);
    const { kind, path } = found;
    const what = `${unreadableNames[kind]}, which the content filter of this gateway cannot read and refuses`;
    throw refusal(rule, `'${path}' is ${what} (rule "${rule.name}"). Send text, or leave it out.`, path);
  }

  *#applyTo(group: readonly ListedText[], rule: Rule, budget: Budget, records: RuleRecords): Steps<void> {
    const found = yield* searchAll(
      budget,
      rule,
      group.map(({ text }) => text),
    );
    if (found === undefined) {
      records.overBudget(rule);
      if (rule.onBudget === 'pass') return;
      throw new GatewayError('request_too_large', `${overBudget(rule, 'request')} Send a shorter one.`);
    }
    const index = found.findIndex((spans) => spans.length > 0);
    const first = group[index];
    if (first === undefined) return;
    records.found(
      rule,
      found.reduce((sum, { length }) => sum + length, 0),
    );
    if (rule.action === 'refuse') throw refusal(rule, rule.refusal, this.#list.pathOf(first));
    if (rule.action === 'log') return;
    for (const [at, listed] of group.entries())
      this.change(listed, replaceSpans(listed.text, found[at] ?? [], rule.replacement));
  }
}
