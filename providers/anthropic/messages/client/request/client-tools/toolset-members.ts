import type { JsonObject } from '../../../../../../core/api/index.ts';
import { choice, integer, integers, number, objectOf, text } from './schema.ts';

/** One tool of a toolset. */
export interface ToolsetMember {
  readonly description: string;
  readonly schema: JsonObject;
  /** Offered only if the client enables it. */
  readonly isOff?: true;
}

const member = (description: string, properties: JsonObject = {}, ...required: string[]): ToolsetMember => ({
  description,
  schema: objectOf(properties, required),
});
const off = (given: ToolsetMember): ToolsetMember => ({ ...given, isOff: true });

const directions = choice(['up', 'down', 'left', 'right'], 'Where to.');
const duration = number('How long, in seconds.');
const region = integers(4, 'Left, top, right and bottom, in pixels.');

const point = integers(2, 'x and y, in pixels from the top left corner.');
const held = text('Keys that are held down meanwhile, such as ctrl+shift.');
const click = (what: string): ToolsetMember =>
  member(`${what} at a coordinate, or at the cursor.`, { coordinate: point, text: held });

/** https://platform.claude.com/docs/en/agents-and-tools/tool-use/computer-use-tool */
export const computerMembers: Readonly<Record<string, ToolsetMember>> = {
  key: member(
    'Presses a key or a combination of keys.',
    { text: text('The keys, such as ctrl+s or Return.'), repeat: integer('How often. Default: once.') },
    'text',
  ),
  hold_key: member('Holds a key down.', { text: text('The keys.'), duration }, 'text', 'duration'),
  type: member('Types a text.', { text: text('The text.') }, 'text'),
  cursor_position: member('Returns the coordinate of the cursor.'),
  mouse_move: member('Moves the cursor without a click.', { coordinate: point }, 'coordinate'),
  left_mouse_down: member('Presses the left mouse button at the cursor, and holds it.'),
  left_mouse_up: member('Releases the left mouse button.'),
  left_click: click('Clicks the left mouse button'),
  left_click_drag: member(
    'Drags with the left mouse button.',
    { start_coordinate: point, coordinate: point, text: held },
    'start_coordinate',
    'coordinate',
  ),
  right_click: click('Clicks the right mouse button'),
  middle_click: click('Clicks the middle mouse button'),
  double_click: click('Clicks the left mouse button twice'),
  triple_click: click('Clicks the left mouse button three times'),
  scroll: member(
    'Scrolls at a coordinate, or at the cursor.',
    { scroll_direction: directions, scroll_amount: integer('Steps of the wheel.'), coordinate: point, text: held },
    'scroll_direction',
    'scroll_amount',
  ),
  wait: member('Waits.', { duration }, 'duration'),
  screenshot: member('Takes a screenshot of the screen.'),
  zoom: member('Takes an enlarged screenshot of a region.', { region }, 'region'),
};

const tab = { tab_id: text('The tab. Default: the active one.') };
const ref = objectOf({ type: choice(['ref'], 'An element.'), ref: text('Its reference, such as ref_7.') }, [
  'type',
  'ref',
]);
const spot = objectOf(
  { type: choice(['coordinate'], 'A point.'), x: number('From the left.'), y: number('From the top.') },
  ['type', 'x', 'y'],
);
const either: JsonObject = { anyOf: [spot, ref] };
const clickAt = (what: string): ToolsetMember =>
  member(`${what} at a point or on an element.`, { target: either, modifiers: held, ...tab }, 'target');

/** https://platform.claude.com/docs/en/agents-and-tools/tool-use/browser-use-tool */
export const browserMembers: Readonly<Record<string, ToolsetMember>> = {
  navigate: member('Opens a URL.', { url: text('The URL, or back, forward or reload.'), ...tab }, 'url'),
  screenshot: member('Takes a screenshot of the visible part of the page.', tab),
  zoom: member('Takes an enlarged screenshot of a region.', { region, ...tab }, 'region'),
  left_click: clickAt('Clicks the left mouse button'),
  right_click: clickAt('Clicks the right mouse button'),
  middle_click: clickAt('Clicks the middle mouse button'),
  double_click: clickAt('Clicks the left mouse button twice'),
  triple_click: clickAt('Clicks the left mouse button three times'),
  hover: member('Moves the cursor to a point or an element.', { target: either, ...tab }, 'target'),
  left_click_drag: member('Drags from a point to another.', { from: spot, target: spot, ...tab }, 'from', 'target'),
  left_mouse_down: member('Presses the left mouse button, and holds it.', { target: spot, ...tab }, 'target'),
  left_mouse_up: member('Releases the left mouse button.', { target: spot, ...tab }, 'target'),
  mouse_move: member('Moves the cursor to a point.', { target: spot, ...tab }, 'target'),
  scroll: member(
    'Scrolls at a point.',
    { scroll_direction: directions, target: spot, scroll_amount: integer('Steps of the wheel.'), ...tab },
    'scroll_direction',
    'target',
  ),
  scroll_to: member('Scrolls until an element is visible.', { target: ref, ...tab }, 'target'),
  type: member('Types a text at the focus.', { text: text('The text.'), ...tab }, 'text'),
  key: member(
    'Presses keys.',
    { text: text('The keys, such as ctrl+a.'), repeat: integer('How often. Default: once.'), ...tab },
    'text',
  ),
  hold_key: member('Holds a key down.', { text: text('The keys.'), duration, ...tab }, 'text', 'duration'),
  form_input: member(
    'Sets the value of a form element.',
    { target: ref, value: { type: ['string', 'number', 'boolean'], description: 'The value.' }, ...tab },
    'target',
    'value',
  ),
  read_page: member('Returns the accessibility tree of the page, with references of its elements.', {
    ref: text('Only the tree below this element.'),
    depth: integer('At most this many levels.'),
    filter: choice(['all', 'interactive'], 'Which elements.'),
    ...tab,
  }),
  find: member('Finds elements by a description.', { query: text('The description.'), ...tab }, 'query'),
  get_page_text: member('Returns the visible text of the page.', tab),
  wait: member('Waits.', { duration, ...tab }, 'duration'),
  file_upload: off(
    member(
      'Sets the files of a file input.',
      { target: ref, paths: { type: 'array', items: { type: 'string' }, description: 'Paths of the files.' }, ...tab },
      'target',
      'paths',
    ),
  ),
  read_console: off(member('Returns the output of the console since the last read.', tab)),
  read_network: off(member('Returns the network requests since the last read.', tab)),
  javascript_exec: off(
    member(
      'Runs JavaScript in the page, and returns its last value.',
      { text: text('An expression.'), ...tab },
      'text',
    ),
  ),
  new_tab: member('Opens a tab, and returns its tab_id.'),
  list_tabs: member('Lists the open tabs.'),
  switch_tab: member('Makes a tab the active one.', { tab_id: text('The tab.') }, 'tab_id'),
  close_tab: member('Closes a tab.', { tab_id: text('The tab.') }, 'tab_id'),
};
