// The first minutes: what one can do, said once.

import { button, element } from '../elements';

const KEPT = 'throng.tips';

export function firstTips(): HTMLElement | null {
  if (localStorage.getItem(KEPT)) return null;
  const touch = matchMedia('(pointer: coarse)').matches;
  const card: HTMLElement = element(
    'section',
    { class: 'panel tips', 'aria-label': 'First steps' },
    element('h2', {}, 'New here?'),
    element(
      'ul',
      {},
      element('li', {}, touch ? 'One finger moves, two turn and zoom.' : 'Drag to move, drag with the right button to turn, turn the wheel to come nearer.'),
      element('li', {}, touch ? 'Tap somebody to follow them.' : 'Click on somebody to follow them.'),
      element('li', {}, `${matchMedia('(max-width: 600px), (max-height: 400px)').matches ? 'Under ☰ Show' : 'At the right'}: maps to lay over the scene, charts, walking through the crowd, films.`),
      ...(touch ? [] : [element('li', {}, element('kbd', {}, '?'), ' lists the keys.')]),
    ),
    button('Got it', 'Got it', () => {
      localStorage.setItem(KEPT, '1');
      card.remove();
    }, { class: 'main' }),
  );
  return card;
}
