# cmake -D FOLDER=… -D OUTPUT=page.cpp -D HEADER=nn/tools/view/packing.h -D NAMESPACE=regard::nn
#       -D "TEXTS=name=file,file;…" -P embed.cmake
# writes files as texts of a C++ source, each under its name; of several files one after the other.
string(REPLACE "," ";" as_lists "${TEXTS}")

# The standard promises literals of up to 64 kB, those beside one another counted together; a page is smaller.
file(WRITE ${OUTPUT}.new "#include \"${HEADER}\"\n\nnamespace ${NAMESPACE} {\n\n")
foreach(part IN LISTS as_lists)
  if(part MATCHES "^([a-z_]+)=(.*)$")  # a new text begins with this file
    if(text)
      file(APPEND ${OUTPUT}.new "${text}    \"\";\n")
    endif()
    set(text "const std::string_view ${CMAKE_MATCH_1} =\n")
    set(part ${CMAKE_MATCH_2})
  endif()
  file(READ ${FOLDER}/${part} content)
  string(APPEND text "    R\"page(${content})page\"\n")
endforeach()
file(APPEND ${OUTPUT}.new "${text}    \"\";\n\n}  // namespace ${NAMESPACE}\n")
configure_file(${OUTPUT}.new ${OUTPUT} COPYONLY)  # leaves it alone where nothing has changed
