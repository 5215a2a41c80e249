export default function decorate(block) {
  const picture = block.querySelector('picture');
  if (!picture) {
    block.classList.add('without-picture');
    return;
  }
  picture.closest('div').classList.add('hero-picture');
  picture.querySelector('img').loading = 'eager';
}
