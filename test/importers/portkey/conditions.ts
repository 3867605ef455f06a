import { at, balance, big, claude, fallback, gpt, model, named, route, small, when, type Members } from './builders.ts';

const codes = [429, 500, 502, 503, 504];
const byModel = ['fastest', 'smartest'].map((name, index) =>
  when({ 'params.model': { $eq: name } }, index === 0 ? 'small' : 'big'),
);
export const conditions: Readonly<Record<string, Members>> = {
  'an alias': route(byModel, 'small', big, small),
  'several aliases': route([when({ 'params.model': { $in: ['smart', 'smarter'] } }, 'big')], 'small', big, small),
  'metadata': route(
    [when({ 'metadata.plan': { $eq: 'paid' } }, 'big'), when({ 'metadata.plan': 'free' }, 'small')],
    'small',
    big,
    small,
  ),
  'a flag': route([when({ 'metadata.new_model_enabled': { $eq: true } }, 'big')], 'small', big, small),
  'a list': route([when({ 'metadata.level': { $in: ['high', 'low'] } }, 'big')], 'small', big, small),
  'none of a list': route([when({ 'metadata.level': { $nin: ['low'] } }, 'big')], 'small', big, small),
  'a range': route(
    [when({ 'params.temperature': { $gte: 0.7 } }, 'big'), when({ 'params.max_tokens': { $lt: 100 } }, 'small')],
    'small',
    big,
    small,
  ),
  'a path': route(
    [when({ 'url.pathname': { $regex: '^/responses' } }, 'new')],
    'old',
    named('new', at('@openai-vk/gpt-4.1')),
    named('old', at('@openai-vk/gpt-3.5-turbo')),
  ),
  'and': route(
    [when({ $and: [{ 'metadata.plan': { $eq: 'pro' } }, { 'params.model': { $eq: 'gpt-4' } }] }, 'big')],
    'small',
    big,
    small,
  ),
  'or': route(
    [when({ $or: [{ 'metadata.app': { $regex: 'my_app' } }, { 'params.top_p': { $lt: 0.8 } }] }, 'big')],
    'small',
    big,
    small,
  ),
  'or and and': route(
    [
      when(
        {
          $or: [
            { $and: [{ 'metadata.plan': 'pro' }, { 'params.model': 'gpt-4o' }] },
            { 'params.max_tokens': { $gt: 1000 } },
          ],
        },
        'big',
      ),
    ],
    'small',
    big,
    small,
  ),
  'targets without a model': route(
    [when({ 'metadata.level': { $eq: 'high' } }, 'own')],
    'public',
    named('own', at('@openai-private')),
    named('public', at('@openai-vk')),
  ),
  'guardrails': route(
    [when({ 'metadata.plan': { $eq: 'paid' } }, 'big')],
    'small',
    { ...big, input_guardrails: ['pg-pii'], output_guardrails: ['pg-facts'] },
    small,
  ),
  'balanced branches': route(
    [when({ 'params.model': 'claude-sonnet' }, 'claude')],
    'gpt',
    named('claude', balance(...claude)),
    named('gpt', model('@openai/gpt-4o')),
  ),
  'branches with fallbacks': route(
    [when({ 'params.model': { $eq: 'claude-sonnet' } }, 'claude'), when({ 'params.model': { $eq: 'gpt-4o' } }, 'gpt')],
    'gpt',
    named('claude', { ...fallback(...claude), strategy: { mode: 'fallback', on_status_codes: codes } }),
    named('gpt', { ...fallback(...gpt), strategy: { mode: 'fallback', on_status_codes: codes } }),
  ),
  'routers in routers': route(
    [when({ 'metadata.region': { $eq: 'EU' } }, 'eu')],
    'us',
    named('eu', route(byModel, 'small', big, small)),
    named('us', model('@azure-us/gpt-4o')),
  ),
};
