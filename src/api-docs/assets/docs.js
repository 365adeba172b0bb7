// Copy buttons, and opening the operation that the address names. The pages work without it.
const FEEDBACK_MS = 2000;

for (const code of document.querySelectorAll('pre > code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', () => copy(code, button));
  code.parentElement.append(button);
}

/** Plain http has no clipboard: there the text is selected. */
function copy(code, button) {
  const show = word => {
    button.textContent = word;
    setTimeout(() => {
      button.textContent = 'Copy';
    }, FEEDBACK_MS);
  };
  const select = () => {
    getSelection().selectAllChildren(code);
    show('Selected');
  };
  if (!navigator.clipboard) select();
  else navigator.clipboard.writeText(code.textContent).then(() => show('Copied'), select);
}

function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const details = target?.closest('details');
  if (!details || details.open) return;
  details.open = true;
  target.scrollIntoView();
}

window.addEventListener('hashchange', openTarget);
openTarget();
