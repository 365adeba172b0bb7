// Finds what a width breaks on an open page: sideways scrolling, controls that are squeezed, cut or
// on top of each other, panels in panels, tables that are cut, numbers that are broken, and words
// that are broken in tables.
import type { Page } from 'playwright-core';

/**
 * The widths at which layouts change, from a phone to a large screen. The first one is that at
 * which pages open.
 */
export const WIDTHS: readonly number[] = [1280, 360, 768, 960, 1024, 1152, 1600];

/** Sentences about the open page at its current size; empty if nothing is broken. */
export function findBrokenLayout(page: Page): Promise<string[]> {
  return page.evaluate(`(${inPage})(${JSON.stringify(LIMITS)})`);
}

const LIMITS = {
  /** An input that shows fewer than five characters is of no use. */
  inputPixels: 72,
  /** The smallest target of WCAG 2.2, 2.5.8. */
  targetPixels: 24,
};

/** Runs in the browser: a string, because tests are compiled without the types of the DOM. */
const inPage = `({ inputPixels, targetPixels }) => {
  const found = [];
  // Hours of two digits, which pages show during a quarter of the day only.
  for (const time of document.querySelectorAll('time'))
    time.textContent = time.textContent.replace(/\\b\\d:/u, '10:');
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.push('scrolls sideways by ' + (scrollWidth - clientWidth));
  for (const list of document.querySelectorAll('.list-panel')) {
    const cut = list.scrollWidth - list.clientWidth;
    if (cut > 0) found.push('a list is cut by ' + cut);
  }
  // Each takes a part of the width for its title.
  for (const inner of document.querySelectorAll('.panel .panel.beside'))
    found.push('the panel ' + inner.querySelector('h2')?.textContent + ' is in another one');
  const nameOf = element =>
    element.localName + ' ' + (element.name || element.textContent.trim().slice(0, 30));
  const controls = [...document.querySelectorAll('input, select, textarea, button, a.button')]
    .filter(element => element.checkVisibility({ visibilityProperty: true }))
    .map(element => ({ element, box: element.getBoundingClientRect() }))
    .filter(({ element, box }) => box.width > 1 && element.type !== 'hidden');
  const range = document.createRange();
  const typed = 'input:not([type=checkbox], [type=radio]), select, textarea';
  for (const { element, box } of controls) {
    const isTyped = element.matches(typed);
    const isTick = element.matches('[type=checkbox], [type=radio]');
    const least = isTyped ? inputPixels : isTick ? 0 : targetPixels;
    if (box.width < least) found.push(nameOf(element) + ' is ' + box.width + ' wide');
    if (box.left < 0 || box.right > clientWidth) found.push(nameOf(element) + ' is outside');
    if (!isTyped && element.scrollWidth > element.clientWidth + 1)
      found.push(nameOf(element) + ' is cut');
    const label = isTyped && element.labels[0];
    if (label && label.checkVisibility() && !label.parentElement.matches('.row')) {
      range.selectNodeContents(label);
      const text = range.getBoundingClientRect();
      const isAbove = text.bottom <= box.top + 1 && text.width > 1 && text.width < box.width - 2;
      if (isAbove && Math.abs(text.left - box.left) > 2)
        found.push('the label of ' + nameOf(element) + ' does not start where it does');
    }
  }
  const floats = element => element.closest('.nav-bar') !== null;
  for (const [index, one] of controls.entries()) {
    for (const other of controls.slice(index + 1)) {
      if (floats(one.element) !== floats(other.element)) continue;
      const across = Math.min(one.box.right, other.box.right) -
        Math.max(one.box.left, other.box.left);
      const down = Math.min(one.box.bottom, other.box.bottom) -
        Math.max(one.box.top, other.box.top);
      if (across > 1 && down > 1)
        found.push(nameOf(one.element) + ' lies on ' + nameOf(other.element));
    }
  }
  for (const table of document.querySelectorAll('main table:not(.wide-table *)')) {
    const panel = table.parentElement;
    const padding = parseFloat(getComputedStyle(panel).paddingRight);
    const right = panel.getBoundingClientRect().right - padding;
    const box = table.getBoundingClientRect();
    if (box.width > 1 && box.right > right + 1)
      found.push('the table ' + (table.caption?.textContent ?? '') + ' is wider than its panel');
  }
  const isOnOneLine = (text, start, end) => {
    range.setStart(text, start);
    range.setEnd(text, end);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size < 2;
  };
  for (const figure of document.querySelectorAll('main :is(.figure, .tile-value)')) {
    const texts = document.createTreeWalker(figure, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      for (const { 0: number, index } of text.data.matchAll(/[\\d.,]{2,}/gu)) {
        if (!isOnOneLine(text, index, index + number.length))
          found.push('the number ' + number + ' is broken');
      }
    }
  }
  const words = /(?<!\\S)[\\p{L}\\p{N}-]{2,14}(?!\\S)/gu;
  for (const cell of document.querySelectorAll('main :is(td, th, dt, .badge, .tab)')) {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      if (text.parentElement.closest('code, .unseen')) continue;
      for (const { 0: word, index } of text.data.matchAll(words)) {
        if (!isOnOneLine(text, index, index + word.length))
          found.push('the word ' + word + ' is broken');
      }
    }
  }
  return [...new Set(found)];
}`;
