document.body.classList.add('archive');
