# cmake -D FOLDER=nn/view -D OUTPUT=page.cpp -P embed.cmake: the files of the page as a C++ source.
set(scripts numbers.js pen.js head_view.js model_view.js neuron_view.js row.js app.js controls.js start.js)

# The standard promises literals of up to 64 kB, those beside one another counted together; the page is smaller.
function(append_literals variable)
  set(text)
  foreach(name IN LISTS ARGN)
    file(READ ${FOLDER}/${name} content)
    string(APPEND text "    R\"page(${content})page\"\n")
  endforeach()
  file(APPEND ${OUTPUT}.new "const std::string_view ${variable} =\n${text}    \"\";\n")
endfunction()

file(WRITE ${OUTPUT}.new "#include \"nn/view/page.h\"\n\nnamespace regard::nn {\n\n")
append_literals(page_html page.html)
append_literals(page_style style.css)
append_literals(page_script ${scripts})
file(APPEND ${OUTPUT}.new "\n}  // namespace regard::nn\n")
configure_file(${OUTPUT}.new ${OUTPUT} COPYONLY)  # leaves it alone where nothing has changed
