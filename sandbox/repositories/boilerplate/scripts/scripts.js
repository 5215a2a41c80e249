/** Loads the script and the style of a block and lets the script decorate it. */
async function loadBlock(block) {
  const [name] = block.classList;
  const style = document.createElement('link');
  style.rel = 'stylesheet';
  style.href = `/blocks/${name}/${name}.css`;
  document.head.append(style);
  const { default: decorate } = await import(`/blocks/${name}/${name}.js`);
  await decorate(block);
}

/** Turns each section's metadata into classes and takes the table away. */
function decorateSections(main) {
  main.querySelectorAll(':scope > div').forEach((section) => {
    section.classList.add('section');
    const metadata = section.querySelector(':scope > .section-metadata');
    const style = metadata?.querySelector('div > div:last-child')?.textContent.trim();
    if (style) section.classList.add(style);
    metadata?.remove();
  });
}

async function loadPage() {
  const main = document.querySelector('main');
  decorateSections(main);
  const blocks = [...main.querySelectorAll('.section > div[class]')];
  await Promise.all(blocks.map((block) => loadBlock(block).catch(() => block.classList.add('plain'))));
  for (const name of ['header', 'footer']) {
    const element = document.querySelector(name);
    element.classList.add(name);
    await loadBlock(element);
  }
}

loadPage();
